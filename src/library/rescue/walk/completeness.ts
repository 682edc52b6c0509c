// Whether a result would be the same with more text behind it. Knows readings, and no format by name.
import type { Meter } from '../core/rescue-context';
import type { FormatReading } from '../core/rescue-format';

/** `truncated`: the text ends in it. `needs-more`: it is whole, but more text may yet show that it is another thing. */
export type Completeness = 'complete' | 'truncated' | 'needs-more';

/**
 * Of what was read at an opener, or ('') at a first character. What is sound does not change with what follows, unless its
 * reader doubts it.
 */
export function findCompleteness(
  reading: FormatReading | null,
  opener: string,
  { hasReachedEnd, hasSearchedToEnd, isDoubtful }: Meter,
): Completeness {
  if (reading?.kind === 'calls' && reading.isOpen) return 'truncated';
  if (reading?.kind === 'calls' && !isDamaged(reading)) return isDoubtful ? 'needs-more' : 'complete';
  // without an opener a search in vain says only that this is no call
  const isSearch = hasSearchedToEnd && (reading !== null || opener !== '');
  return hasReachedEnd || isSearch ? 'needs-more' : 'complete';
}

const isDamaged = ({ failure, repairs, calls }: Extract<FormatReading, { kind: 'calls' }>): boolean =>
  failure !== undefined || repairs.length > 0 || calls.some((call) => call.repairs.length > 0);
