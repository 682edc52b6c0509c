// The program `provider-playground`: runs the command line of this process.
import { runCommandLine } from './run-command-line';
import { processTerminal } from './terminal';

async function main(): Promise<void> {
  const code = await runCommandLine(process.argv.slice(2), processTerminal());
  // Not `exit`: a pipe may not have everything yet. The code is there already when the output cannot be written.
  process.exitCode ??= code;
}

void main();
