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

export function describeProgram(commands: readonly Command[], style: Style): string {
  return [
    t('Evaluates models on tool calls, without an editor.'),
    section(t('Usage'), [`${PROGRAM} <${t('command')}> [${t('options')}]`], style),
    section(t('Commands'), columns(commands.map(({ name, help }) => [name, help().summary])), style),
    t('Help for one of them: {0}', `${PROGRAM} <${t('command')}> --help`),
    '',
  ].join('\n\n');
}

export function describeCommand(command: Command, style: Style): string {
  const { name, options } = command;
  const { operands, about, examples } = command.help();
  const all = Object.entries({ ...options, ...COMMON_OPTIONS });
  const usage = [PROGRAM, name, operands, `[${t('options')}]`].filter((part) => part !== '').join(' ');
  const shown = examples.map(([line, says]) => `${style('dim', `# ${says}`)}\n  ${line}`);
  return [
    about,
    section(t('Usage'), [usage], style),
    section(t('Options'), columns(all.map(([key, option]) => [toFlag(key, option), option.says()])), style),
    section(t('Examples'), shown, style),
    '',
  ].join('\n\n');
}

const toFlag = (name: string, { value }: Option): string => `--${name}${value ? ` ${value}` : ''}`;

const section = (title: string, lines: readonly string[], style: Style): string =>
  [style('bold', title), ...lines.map((line) => `  ${line}`)].join('\n');

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `${first.padEnd(width)}  ${second}`);
}
