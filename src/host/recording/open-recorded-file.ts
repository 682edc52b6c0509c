// Reads a file of recorded requests, which anybody may have written. Sends nothing.
import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import { toLabel } from '../../inspect';
import type { ErrorInfo } from '../../protocol';
import type { RecordedExchange } from '../../types';
import { loadEngine } from '../load-engine';
import { readTextFile } from '../tools/read-text-file';

/** In bytes. More would stop the editor for seconds; the store of a window keeps no more either. */
const MAX_BYTES = 64_000_000;

export interface RecordedFile {
  name: string;
  target: string;
  startedAt: number;
  exchanges: RecordedExchange[];
  /** Why not all of it can be shown. */
  problem?: ErrorInfo | undefined;
}

export async function readRecordedFile(uri: vscode.Uri): Promise<RecordedFile> {
  const name = toLabel(uri.path.split('/').at(-1) ?? '');
  const nothing = { name, target: '', startedAt: 0, exchanges: [] };
  let text: string;
  try {
    text = await readTextFile(uri, MAX_BYTES);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...nothing, problem: unread(t('{0} cannot be read.', name), why, t('Choose another file.')) };
  }
  const { readRecordLines } = await loadEngine();
  const { recordings, unread: lines } = readRecordLines(text);
  const [first] = recordings;
  if (!first)
    return {
      ...nothing,
      problem: unread(
        t('{0} is no recording.', name),
        t('It does not begin with the head of one.'),
        t('Open a file that `provider-playground proxy --record` or Export has written.'),
      ),
    };
  const { target, startedAt } = first.head;
  return {
    name,
    target,
    startedAt,
    exchanges: joinRecordings(recordings.map(({ exchanges }) => exchanges)),
    ...(lines.length > 0 && { problem: notAll(name, lines) }),
  };
}

/** Conversations of different recordings are different ones. */
function joinRecordings(recordings: readonly (readonly RecordedExchange[])[]): RecordedExchange[] {
  let before = 0;
  return recordings.flatMap((exchanges) => {
    const base = before;
    return exchanges
      .toSorted((one, other) => one.number - other.number)
      .map((exchange) => {
        if (exchange.session === undefined) return exchange;
        before = Math.max(before, base + exchange.session);
        return { ...exchange, session: base + exchange.session };
      });
  });
}

const MAX_NAMED = 5;

function notAll(name: string, lines: readonly number[]): ErrorInfo {
  const named = lines.slice(0, MAX_NAMED).join(', ') + (lines.length > MAX_NAMED ? ' …' : '');
  return unread(
    lines.length === 1
      ? t('Line {0} of {1} cannot be read, and is left out.', named, name)
      : t('{0} lines of {1} cannot be read, and are left out: {2}', lines.length, name, named),
    t('They are no recorded requests, or were cut off when the program that wrote them ended.'),
    t('Record again if something is missing.'),
  );
}

const unread = (what: string, why: string, next: string): ErrorInfo => ({
  code: 'recording-unread',
  title: t('The recording cannot be read as a whole'),
  what,
  why,
  next,
});
