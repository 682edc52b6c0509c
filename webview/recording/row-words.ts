// How a request reads in the list and in the inspector: its outcome in a word with an icon, its times and sizes. Pure.
import { t } from '@vscode/l10n';
import type { RecordedRow } from '../../src/protocol';
import type { IconName } from '../icons';
import { VERDICT_WORDS } from '../text/verdict-words';
import type { ShownRequests } from './recording-state';

/** The word on a chip. */
export const chipWord = (kind: ShownRequests): string => {
  const word = kind === 'all' ? t('all') : VERDICT_WORDS[kind]();
  return word.charAt(0).toUpperCase() + word.slice(1);
};

export interface RowOutcome {
  /** Also the name of its colour. */
  icon: IconName;
  word: string;
}

/** @returns undefined for what has ended and is no chat */
export function outcomeOf({ phase, verdict }: RecordedRow): RowOutcome | undefined {
  if (phase) return { icon: 'busy', word: phase === 'waiting' ? t('waiting') : t('reading') };
  return verdict && { icon: verdict.kind, word: VERDICT_WORDS[verdict.kind]() };
}

/** What the program got in the place of what the server sent. */
export function repairWord({ isRepaired, verdict }: RecordedRow): string | undefined {
  if (isRepaired) return verdict?.kind === 'rescued' ? t('returned as native') : t('returned repaired');
  return verdict?.kind === 'rescued' ? t('not repaired') : undefined;
}

/** Milliseconds so far, or to the end. */
export const durationOf = ({ startedAt, endMs }: RecordedRow, now: number): number =>
  endMs ?? Math.max(now - startedAt, 0);

const two = (part: number): string => String(part).padStart(2, '0');

/** Such as `14:02:46`, by the clock of the person. */
export function timeOf(ms: number, hasSeconds = true): string {
  const date = new Date(ms);
  const minutes = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return hasSeconds ? `${minutes}:${two(date.getSeconds())}` : minutes;
}

export const programOf = ({ program }: Pick<RecordedRow, 'program'>): string =>
  program === '' ? t('unnamed program') : program;

/** A method that most requests have is not said. */
export const pathOf = ({ method, path }: Pick<RecordedRow, 'method' | 'path'>): string =>
  method === 'POST' ? path : `${method} ${path}`;
