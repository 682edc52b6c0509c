// The program `provider-playground`: runs the command line of this process.
import { runCommandLine } from './run-command-line';
import { processTerminal } from './terminal';

async function main(): Promise<void> {
  // Not `exit`: a pipe may not have everything yet.
  process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
}

void main();
