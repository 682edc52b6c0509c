// Reads a command line, runs its command, and says what went wrong in words: what, why, and what to do next.
import { t } from '@vscode/l10n';
import { parseArgs } from 'node:util';
import type { Call, Command, ExitCode } from './command';
import { CommandError, EXIT } from './command';
import { COMMANDS } from './commands';
import { COMMON_OPTIONS, describeCommand, describeProgram, PROGRAM } from './help';
import { VERSION } from './made-by';
import type { Terminal } from './terminal';
import { styleWith } from './terminal';

/** @param words Those after the name of the program. Never rejects. */
export async function runCommandLine(
  words: readonly string[],
  terminal: Terminal,
  commands: readonly Command[] = COMMANDS,
): Promise<ExitCode> {
  const given = words.includes('--no-color') ? withoutColors(terminal) : terminal;
  try {
    return await run(words, given, commands);
  } catch (error) {
    given.talk.write(describeError(error, given));
    return EXIT.unusable;
  }
}

async function run(
  [name, ...words]: readonly string[],
  terminal: Terminal,
  commands: readonly Command[],
): Promise<ExitCode> {
  const { output, talk } = terminal;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const stream = name === undefined ? talk : output;
    stream.write(describeProgram(commands, stream));
    return name === undefined ? EXIT.unusable : EXIT.done;
  }
  if (name === '--version') {
    output.write(`${VERSION}\n`);
    return EXIT.done;
  }
  const command = commands.find((each) => each.name === name);
  if (!command)
    throw new CommandError(t('There is no command {0}.', name), t('Run {0}.', `${PROGRAM} --help`));
  const call = toCall(command, words, terminal);
  if (!call) {
    output.write(describeCommand(command, output));
    return EXIT.done;
  }
  return command.run(call);
}

/** @returns undefined when help is asked for. @throws CommandError */
function toCall(command: Command, words: readonly string[], terminal: Terminal): Call | undefined {
  if (words.includes('--help') || words.includes('-h')) return undefined;
  const options = { ...command.options, ...COMMON_OPTIONS };
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
    return { values: values as Call['values'], operands: positionals, terminal };
  } catch (error) {
    const next = t('Its options: {0}', `${PROGRAM} ${command.name} --help`);
    throw new CommandError(toSentence(error), next);
  }
}

/** Node advises on further syntax after the first sentence. */
const toSentence = (error: unknown): string =>
  `${(error instanceof Error ? error.message : String(error)).split(/\.\s/)[0]?.replace(/\.$/, '') ?? ''}.`;

function withoutColors({ output, talk, ...terminal }: Terminal): Terminal {
  const style = styleWith(false);
  return { ...terminal, output: { ...output, style }, talk: { ...talk, style } };
}

/** No stack: what failed in the program itself is said in its own words. */
function describeError(error: unknown, { talk }: Terminal): string {
  const { message, why = '', next = '' } = error instanceof Error ? (error as Partial<CommandError>) : {};
  const lines = [
    `${talk.style('red', t('Error:'))} ${message ?? String(error)}`,
    ...(why === '' ? [] : [`  ${why}`]),
    ...(next === '' ? [] : [`  → ${next}`]),
  ];
  return `${lines.join('\n')}\n`;
}
