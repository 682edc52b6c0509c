// Tells whether a result would be the same with more text after it. Independent of single formats.
import type { Meter } from '../core/rescue-context';
import type { FormatReading } from '../core/rescue-format';

/** `truncated`: the text ends inside it. `needs-more`: it is whole, but more text may show that it is something else. */
export type Completeness = 'complete' | 'truncated' | 'needs-more';

/**
 * Completeness of what was parsed at an opener, or, with an opener of '', at a first character. A reading without damage
 * does not change with the text that follows, unless its parser doubts it.
 */
export function findCompleteness(
  reading: FormatReading | null,
  opener: string,
  { hasReachedEnd, hasSearchedToEnd, isDoubtful }: Meter,
): Completeness {
  if (reading?.kind === 'calls' && reading.isOpen) return 'truncated';
  if (reading?.kind === 'calls' && !isDamaged(reading)) return isDoubtful ? 'needs-more' : 'complete';
  // Without an opener, a failed search shows only that this is not a call.
  const isSearch = hasSearchedToEnd && (reading !== null || opener !== '');
  return hasReachedEnd || isSearch ? 'needs-more' : 'complete';
}

const isDamaged = ({ failure, repairs, calls }: Extract<FormatReading, { kind: 'calls' }>): boolean =>
  failure !== undefined || repairs.length > 0 || calls.some((call) => call.repairs.length > 0);
