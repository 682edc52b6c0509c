// Reads a stored reply again with other tools, other rescue formats, or with rescue switched on or off. Pure: sends nothing.
import { t } from '@vscode/l10n';
import { rescueFormats, rescueToolCalls } from '../../../library';
import type { Reading, ReadingPair } from '../../../protocol';
import type { ProviderToolCall, RescuedCall, RescueReport, ToolType } from '../../../types';
import { boundText, boundValue } from './run-record';
import type { RecordedTurn } from './run-record';

/** Limit of the calls that are returned: a reply may have any number. */
const MAX_CALLS = 50;
const MAX_REJECTED = 50;

export interface ReadOptions {
  rescueToolCalls: boolean;
  /** Id of the only rescue format to try; absent: all formats. */
  format?: string | undefined;
  tools: readonly ToolType[];
}

/** Content and calls that a reply is read as, not truncated. */
export interface WholeReading {
  content: string;
  calls: (ProviderToolCall | RescuedCall)[];
  rejected: RescueReport['rejected'];
}

/** The reading at the time when the reply arrived. */
export const readingOf = ({ assistant, toolCalls, rescue }: RecordedTurn): WholeReading => ({
  content: assistant.content,
  calls: toolCalls.map((call) => rescue?.calls.find(({ id }) => id === call.id) ?? call),
  rejected: rescue?.rejected ?? [],
});

/** Reads the reply again. A reply with native calls keeps its reading: its text is never searched for calls then. */
export function readAgain(
  turn: RecordedTurn,
  { rescueToolCalls: isOn, format, tools }: ReadOptions,
): WholeReading {
  const { raw } = turn;
  if (raw.toolCalls.length > 0) return readingOf(turn);
  const { finishReason } = raw;
  const report = rescueToolCalls(raw.content, tools, {
    ...(finishReason !== undefined && { finishReason }),
    ...(format !== undefined && { formats: [format] }),
  });
  const isTaken = isOn && report.calls.length > 0;
  return {
    content: isTaken ? report.content : raw.content,
    calls: isOn ? report.calls : [],
    rejected: report.rejected,
  };
}

export function toReadingPair(turn: RecordedTurn, options: ReadOptions): ReadingPair {
  const [before, after] = [readingOf(turn), readAgain(turn, options)];
  return {
    before: toReading(before),
    after: toReading(after),
    isSame: printReading(before) === printReading(after),
    verdict: after.calls.length === 0 ? 'none' : turn.raw.toolCalls.length > 0 ? 'native' : 'rescued',
    formats: rescueFormats().map(({ id, title }) => ({ id, title })),
  };
}

function toReading({ content, calls, rejected }: WholeReading): Reading {
  return {
    ...boundText(content),
    calls: calls.slice(0, MAX_CALLS).map((call) => ({
      name: call.name.slice(0, 200),
      arguments: boundValue(call.arguments),
      ...('format' in call && { format: call.format }),
    })),
    rejected: rejected
      .slice(0, MAX_REJECTED)
      .map(({ format, reason, detail }) => ({ format, reason, detail })),
    omittedCalls: Math.max(0, calls.length - MAX_CALLS),
  };
}

/** Prints a reading as text to be compared line by line. Leaves out the ids, which differ each time. */
export function printReading({ content, calls, rejected }: WholeReading): string {
  const left = rejected.map(({ format, reason, detail }) => `${format}: ${reason}. ${detail}\n`);
  return [
    section(t('Content'), content === '' ? `${t('(empty)')}\n` : `${content}\n`),
    section(t('Tool calls'), calls.map(printCall).join('') || `${t('(none)')}\n`),
    section(t('Left as text'), left.join('') || `${t('(nothing)')}\n`),
  ].join('\n');
}

export const printCall = (call: ProviderToolCall | RescuedCall): string => {
  const { name, arguments: value, source } = call;
  const how = 'format' in call ? `${source}, ${call.format}` : source;
  return `${name} (${how})\n${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}\n`;
};

export const section = (title: string, text: string): string => `## ${title}\n\n${text}`;
