// Reads a reply from a file or standard input, and reports what is in it, in words or as JSON. Sends nothing.
import { t } from '@vscode/l10n';
import { resolve } from 'node:path';
import { describeRescue, toLabel, toPrintable } from '../../inspect';
import { nearestTools, rescueFormats } from '../../library';
import { readLab, SYSTEM_CLOCK } from '../../session';
import type { Call, ExitCode } from '../command';
import { CommandError, EXIT } from '../command';
import type { RESCUE_OPTIONS } from './options';
import { readText } from '../files/near-files';
import { describeReadError } from '../files/read-errors';
import { readTools } from '../files/read-tools';
import { toJsonText } from '../json-text';
import type { Stream, Terminal } from '../terminal';

/** @throws CommandError */
export async function runRescue({
  values,
  operands,
  terminal,
}: Call<typeof RESCUE_OPTIONS>): Promise<ExitCode> {
  const [format, writeAs] = [
    checkFormat('format', values.format),
    checkFormat('write-as', values['write-as']),
  ];
  const tools = values.tools === undefined ? undefined : await readTools(terminal.folder, values.tools);
  const text = await readReply(operands, terminal);
  if (text.trim() === '')
    throw new CommandError(
      t('There is no reply to read: {0} is empty.', operands[0] ?? t('standard input')),
      t('Pass the reply: {0}', 'provider-playground rescue < reply.txt'),
    );
  const offered = tools?.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const { report, view } = readLab({ text, tools: offered, format, writeAs }, () => SYSTEM_CLOCK.elapsed());
  const { output } = terminal;
  const written = view.written && ('text' in view.written ? view.written.text : undefined);
  const problem = view.written && 'problem' in view.written ? view.written.problem : undefined;
  if (values.json)
    output.write(toJsonText({ ...report, ...(tools ? {} : { guessedTools: view.tools }), written, problem }));
  else {
    const guessed = tools ? [] : view.tools.map(({ name }) => toLabel(name));
    if (guessed.length > 0)
      output.write(`${t('Read as if these tools were offered: {0}', guessed.join(', '))}\n`);
    output.write(describeRescue(report, text, (style, words) => output.style(style, words)));
    writePart(t('Text'), report.content, output);
    writePart(t('The calls as {0}', writeAs ?? ''), written ?? problem ?? '', output);
  }
  return report.calls.length > 0 ? EXIT.done : EXIT.unmet;
}

/** @throws CommandError */
async function readReply([path, more]: readonly string[], terminal: Terminal): Promise<string> {
  if (more !== undefined)
    throw new CommandError(t('One reply is read at a time.'), t('Name one file, or pass the reply itself.'));
  if (path === undefined || path === '-') return terminal.readInput();
  try {
    return await readText(resolve(terminal.folder, path));
  } catch (error) {
    throw new CommandError(describeReadError(path, error), t('Correct the path.'));
  }
}

/** @throws CommandError */
function checkFormat(option: string, format: string | undefined): string | undefined {
  const ids = rescueFormats().map(({ id }) => id);
  if (format === undefined || ids.includes(format)) return format;
  const [near] = nearestTools(
    format,
    ids.map((name) => ({ name, parameters: {} })),
  );
  throw new CommandError(
    t('There is no format {0}, which --{1} names.', toLabel(format), option),
    near === undefined ? t('There are the formats {0}.', ids.join(', ')) : t('Did you mean {0}?', near),
  );
}

/** A reply is hostile: what would move the cursor is written out. */
function writePart(title: string, text: string, output: Stream): void {
  if (text === '') return;
  const lines = toPrintable(text).split('\n');
  output.write(`${output.style('bold', title)}\n${lines.map((line) => `  ${line}\n`).join('')}`);
}
