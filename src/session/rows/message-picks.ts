// Which messages of the document a row sends, as in the pages of a print dialog: `1-4, 9`. Pure.
import { DOCUMENT_LIMIT } from '../../protocol';

/** Numbers of the first and the last message, from 1. */
export type MessageRange = readonly [first: number, last: number];

/** Maximum length of the text, in UTF-16 code units. */
const MAX_TEXT = 20_000;

/** @returns undefined when the value is no such text, or names more messages than a document may have */
export function readPicks(value: unknown): MessageRange[] | undefined {
  if (typeof value !== 'string' || value.length > MAX_TEXT) return undefined;
  const ranges: MessageRange[] = [];
  let count = 0;
  for (const part of value.split(',')) {
    const [, from = '', to = from] = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(part) ?? [];
    const range = [Number(from), Number(to)] as const;
    count += range[1] - range[0] + 1;
    if (range[0] < 1 || range[1] < range[0] || count > DOCUMENT_LIMIT.messages) return undefined;
    ranges.push(range);
  }
  return ranges;
}

export const printPicks = (ranges: readonly MessageRange[]): string =>
  ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');

/** In the order in which the ranges are listed. */
export const pickMessages = <Message>(
  messages: readonly Message[],
  ranges: readonly MessageRange[],
): Message[] => ranges.flatMap(([first, last]) => messages.slice(first - 1, last));

/** The largest number that is picked. */
export const lastPick = (ranges: readonly MessageRange[]): number =>
  ranges.reduce((most, [, last]) => Math.max(most, last), 0);
