// The program `provider-playground`: runs the command line of this process.
import { t } from '@vscode/l10n';
import { EXIT } from './command';
import { describeWriteError } from './files/write-errors';
import { runCommandLine } from './run-command-line';
import { processTerminal } from './terminal';

async function main(): Promise<void> {
  const code = await runCommandLine(process.argv.slice(2), processTerminal(reportLost));
  // The code is there already when the output cannot be written.
  process.exitCode ??= code;
  // A pipe may not have everything yet.
  await Promise.all([process.stdout, process.stderr].map(written));
  // What a provider module leaves open, such as a timer, must not keep a CI waiting.
  process.exit();
}

/** Resolves when the stream has passed on everything, and an error of it has been told. */
const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => setImmediate(resolve)));

function reportLost(error: Error): void {
  process.exitCode = EXIT.unusable;
  const { what, next } = describeWriteError(t('The output'), error);
  process.stderr.write([what, ...(next === '' ? [] : [`  → ${next}.`]), ''].join('\n'));
}

void main();
