// Reads a command line, runs its command, and says what went wrong in words: what, why, and what to do next.
import { t } from '@vscode/l10n';
import { parseArgs } from 'node:util';
import type { Call, Command, ExitCode, Options } from './command';
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
  if (name === undefined) {
    talk.write(describeProgram(commands, talk));
    return EXIT.unusable;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    const [about] = words.filter((word) => !word.startsWith('-'));
    const text =
      about === undefined
        ? describeProgram(commands, output)
        : describeCommand(await findCommand(about, commands), output);
    output.write(text);
    return EXIT.done;
  }
  if (name === '--version') {
    output.write(`${VERSION}\n`);
    return EXIT.done;
  }
  const command = await findCommand(name, commands);
  const call = await toCall(command, words, terminal);
  if (!call) {
    output.write(describeCommand(command, output));
    return EXIT.done;
  }
  return command.run(call);
}

/** @throws CommandError */
async function findCommand(name: string, commands: readonly Command[]): Promise<Command> {
  const command = commands.find((each) => each.name === name);
  if (command) return command;
  const names = commands.map((each) => each.name);
  throw new CommandError(
    t('There is no command {0}.', name),
    await suggest(name, names, t('Run {0}.', `${PROGRAM} --help`)),
  );
}

/** @param otherwise The next step when none is near. */
async function suggest(word: string, words: readonly string[], otherwise: string): Promise<string> {
  // Only after a mistake, so that help answers at once.
  const { nearestTools } = await import('../library');
  const [near] = nearestTools(
    word,
    words.map((name) => ({ name, parameters: {} })),
  );
  return near === undefined ? otherwise : t('Did you mean {0}?', near);
}

/** @returns undefined when help is asked for. @throws CommandError */
async function toCall(
  command: Command,
  words: readonly string[],
  terminal: Terminal,
): Promise<Call | undefined> {
  if (words.includes('--help') || words.includes('-h')) return undefined;
  const options = { ...command.options, ...COMMON_OPTIONS };
  const help = t('Its options: {0}', `${PROGRAM} ${command.name} --help`);
  let parsed;
  try {
    parsed = parseArgs({ args: joinNumbers(words, options), options, allowPositionals: true });
  } catch (error) {
    throw await describeUse(error, options, help);
  }
  const { values, positionals } = parsed;
  const [extra] = positionals;
  if (extra !== undefined && command.help().operands === '')
    throw new CommandError(t('{0} does not read {1}.', command.name, extra), help);
  return { values: values as Call['values'], operands: positionals, terminal };
}

/** A number below 0 is a value, which the option itself judges, and no further option. */
function joinNumbers(words: readonly string[], options: Options): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const before = joined.at(-1) ?? '';
    const takesValue = before.startsWith('--') && options[before.slice(2)]?.type === 'string';
    if (takesValue && /^-[\d.]/.test(word)) joined[joined.length - 1] = `${before}=${word}`;
    else joined.push(word);
  }
  return joined;
}

/** What is wrong with an option, in our words: Node advises on further syntax. */
async function describeUse(error: unknown, options: Options, help: string): Promise<CommandError> {
  const message = error instanceof Error ? error.message : String(error);
  const name = /'(?:-\w, )?--([\w-]+)/.exec(message)?.[1];
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const option = name !== undefined && Object.hasOwn(options, name) ? options[name] : undefined;
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' && option)
    return option.type === 'boolean'
      ? new CommandError(t('--{0} takes no value.', name ?? ''), t('Write it alone.'))
      : new CommandError(
          t('--{0} needs a value.', name ?? ''),
          t(
            'Write it as --{0}={1}, also a value that begins with a hyphen.',
            name ?? '',
            option.value ?? t('text'),
          ),
        );
  const what = `${message.split(/\.\s/)[0]?.replace(/\.$/, '') ?? ''}.`;
  if (name === undefined) return new CommandError(what, help);
  const names = Object.keys(options).map((each) => `--${each}`);
  return new CommandError(t('There is no option {0}.', `--${name}`), await suggest(`--${name}`, names, help));
}

function withoutColors({ output, talk, ...terminal }: Terminal): Terminal {
  const style = styleWith(false);
  return { ...terminal, output: { ...output, style }, talk: { ...talk, style } };
}

/** No stack: what failed in the program itself is said in its own words. */
function describeError(error: unknown, { talk }: Terminal): string {
  const {
    message,
    why = '',
    next = t('Report it, with the command line, if it happens again.'),
  } = error instanceof Error ? (error as Partial<CommandError>) : {};
  const lines = [
    `${talk.style('red', t('Error:'))} ${message ?? String(error)}`,
    ...(why === '' ? [] : [`  ${why}`]),
    ...(next === '' ? [] : [`  → ${next}`]),
  ];
  return `${lines.join('\n')}\n`;
}
