// The help of the command line and of each command. Pure.
import { t } from '@vscode/l10n';
import type { Command, Option } from './command';
import type { Stream } from './terminal';

export const PROGRAM = 'provider-playground';

/** Options of every command. */
export const COMMON_OPTIONS = {
  help: { type: 'boolean', says: () => t('show this help') },
  'no-color': { type: 'boolean', says: () => t('no colours; so does the variable NO_COLOR') },
} as const satisfies Record<string, Option>;

type Style = Stream['style'];

/** In characters: longer lines are hard to read even where they fit. */
const MAX_WIDTH = 110;
/** Below it, texts stand under what they are about. */
const MIN_TEXT = 30;

export function describeProgram(commands: readonly Command[], stream: Stream): string {
  const { style } = stream;
  const width = widthOf(stream);
  const rows = commands.map(({ name, help }) => [name, help().summary] as const);
  return [
    wrap(t('Evaluates models on tool calls, without an editor.'), width).join('\n'),
    section(t('Usage'), [`${PROGRAM} <${t('command')}> [${t('options')}]`], style),
    section(t('Commands'), columns(rows, width), style),
    wrap(t('Help for one of them: {0}', `${PROGRAM} <${t('command')}> --help`), width).join('\n'),
    '',
  ].join('\n\n');
}

export function describeCommand(command: Command, stream: Stream): string {
  const { style } = stream;
  const width = widthOf(stream);
  const { name, options } = command;
  const { operands, about, examples } = command.help();
  const all = Object.entries({ ...options, ...COMMON_OPTIONS });
  const rows = all.map(([key, option]) => [toFlag(key, option), option.says()] as const);
  const usage = [PROGRAM, name, operands, `[${t('options')}]`].filter((part) => part !== '').join(' ');
  const shown = examples.map(([line, says]) => `${style('dim', `# ${says}`)}\n  ${line}`);
  return [
    wrap(about, width).join('\n'),
    section(t('Usage'), [usage], style),
    section(t('Options'), columns(rows, width), style),
    section(t('Examples'), shown, style),
    '',
  ].join('\n\n');
}

const toFlag = (name: string, { value }: Option): string => `--${name}${value ? ` ${value}` : ''}`;

const section = (title: string, lines: readonly string[], style: Style): string =>
  [style('bold', title), ...lines.map((line) => `  ${line}`)].join('\n');

/** Of a person's terminal; what is piped may be read anywhere. */
const widthOf = ({ isInteractive, width }: Stream): number =>
  isInteractive ? Math.min(width(), MAX_WIDTH) : MAX_WIDTH;

function columns(rows: readonly (readonly [string, string])[], width: number): string[] {
  const first = Math.max(...rows.map(([name]) => name.length)) + 2;
  const room = width - first - 2;
  return rows.flatMap(([name, text]) => {
    if (room < MIN_TEXT) return [name, ...wrap(text, width - 6).map((line) => `    ${line}`)];
    const [line = '', ...more] = wrap(text, room);
    return [name.padEnd(first) + line, ...more.map((each) => ' '.repeat(first) + each)];
  });
}

/** Breaks a text between words. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
