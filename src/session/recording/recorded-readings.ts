// The requests of the page about a recorded run that need no editor: what the inspector shows, and texts to be compared.
import { t } from '@vscode/l10n';
import { PROVIDER_CATALOG } from '../../library';
import type { RecordingHandlers, ReadingOptions, RequestParams } from '../../protocol';
import type { ToolType } from '../../types';
import { refuse } from '../refusal';
import type { ComparedSide, TextPair } from '../run/record/compare-runs';
import { compareRuns } from '../run/record/compare-runs';
import { printReading, readAgain, readingOf, toReadingPair } from '../run/record/read-again';
import type { ReadOptions } from '../run/record/read-again';
import type { RecordedTurn } from '../run/record/run-record';
import { readText } from '../run/record/run-record';
import { toWireView } from '../run/record/wire-view';
import type { RecordingBook } from './recording-book';

export const createReadingHandlers = (book: () => Promise<RecordingBook>) =>
  ({
    'entries/read': async ({ entryIds }) => (await book()).entries(entryIds),
    'text/read': async ({ entryId, path }) => {
      const text = readText((await (await book()).run(entryId)).record, path);
      if (text === undefined) throw refuse(t('The text is no longer available.'), t('Record again.'));
      return { text };
    },
    'wire/read': async ({ runId }) => toWireView(await (await book()).wire(runId), PROVIDER_CATALOG),
    'reading/make': async ({ runId, ...options }) => {
      const { turn, how } = await toRead(await book(), runId, options);
      return toReadingPair(turn, how);
    },
  }) satisfies Partial<RecordingHandlers>;

/** Texts of both readings of a recorded reply, to be compared line by line. */
export async function readingTexts(
  book: RecordingBook,
  runId: string,
  options: ReadingOptions,
): Promise<TextPair> {
  const { turn, how } = await toRead(book, runId, options);
  return {
    title: t('Original reading ↔ read again'),
    left: { name: 'as-it-ran.txt', text: printReading(readingOf(turn)) },
    right: { name: 'read-again.txt', text: printReading(readAgain(turn, how)) },
  };
}

/** Texts of the same part of two recorded runs. */
export async function compareRecorded(
  book: RecordingBook,
  { left, right, part, form }: RequestParams<'run/compare'>,
): Promise<TextPair> {
  const [one, other] = await Promise.all([toSide(book, left.runId), toSide(book, right.runId)]);
  return compareRuns([one, other], part, form);
}

async function toSide(book: RecordingBook, runId: string): Promise<ComparedSide> {
  const title = book.titleOf(runId);
  return { title, name: title.toLowerCase().replaceAll(/\W+/g, '-'), ...(await book.run(runId)) };
}

async function toRead(
  book: RecordingBook,
  runId: string,
  { rescueToolCalls, format, tools }: ReadingOptions,
): Promise<{ turn: RecordedTurn; how: ReadOptions }> {
  const { record, wire, setup } = await book.run(runId);
  if (!record.turn) throw refuse(t('The run has no reply.'), t('Record again.'));
  // A recording has no tools but those that the program offered.
  const offered: readonly ToolType[] = tools === 'none' ? [] : (setup?.tools ?? wire?.tools ?? []);
  return { turn: record.turn, how: { rescueToolCalls, format, tools: offered } };
}
