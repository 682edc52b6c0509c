// Reads the closing tag or token of a call: the expected one, one cut off by the end of the text, a wrong one, or none.
import type { RescueRepair } from '../../../types';
import { countEdits } from '../text/edit-distance';
import { skipWhite } from '../text/white-space';
import type { RescueContext } from './rescue-context';

export interface Closer {
  /** Offset after the closer; equal to `from` when there is none. */
  end: number;
  repairs: RescueRepair[];
  /** Whether the closer is missing because the text ends. */
  isOpen: boolean;
}

const LONGEST_CLOSER = 64;
/** In UTF-16 code units. In a closer shorter than this, only one character may be wrong. */
const SHORT_CLOSER = 8;
const MAX_EDITS = 2;
/** Any closing tag in angle brackets, in lower case. */
const CLOSING_TAG = /^<\/[a-z][a-z0-9_:|-]{1,36}>/;

export function readCallCloser(context: RescueContext, from: number, expected: string): Closer {
  const { text, dialects } = context;
  const at = skipWhite(text, from);
  const written = text.slice(at, at + LONGEST_CLOSER).toLowerCase();
  const wanted = expected.toLowerCase();
  if (written.startsWith(wanted)) return { end: at + expected.length, repairs: [], isOpen: false };
  if (at + written.length === text.length && wanted.startsWith(written)) {
    return { end: text.length, repairs: [{ kind: 'missing-close-tag', at }], isOpen: true };
  }
  const other = findOther(context, at, written) || findDamaged(context, written, wanted);
  const end = at + other.length;
  // If an answer follows, a closing reasoning tag ends reasoning that began in the prompt, and the call was only a
  // rehearsal.
  const endsReasoning =
    dialects.regions.reasoning.find(text, at) !== undefined &&
    !dialects.trailing.isAll(text, end, text.length);
  if (other !== '' && !endsReasoning)
    return { end, repairs: [{ kind: 'wrong-close-tag', at }], isOpen: false };
  return { end: from, repairs: [{ kind: 'missing-close-tag', at: from }], isOpen: false };
}

/** The closer of another format; at the end of the text also an opener, because some models close with their opening tag. */
function findOther({ text, dialects }: RescueContext, at: number, written: string): string {
  const [closer] = CLOSING_TAG.exec(written) ?? [];
  const other = closer ?? dialects.closers.findIn(written);
  if (other !== '') return other;
  const opener = dialects.openers.findIn(written);
  return skipWhite(text, at + opener.length) >= text.length ? opener : '';
}

/**
 * The expected closer with one or two typos, each a word character or a character of the closer itself. '' where a call
 * opens.
 */
function findDamaged({ dialects }: RescueContext, written: string, wanted: string): string {
  if (written.charAt(0) !== wanted.charAt(0) || dialects.openers.findIn(written) !== '') return '';
  const damaged = written.slice(0, written.indexOf(wanted.slice(-1)) + 1);
  const most = wanted.length < SHORT_CLOSER ? 1 : MAX_EDITS;
  const isLike = Math.abs(damaged.length - wanted.length) <= most && countEdits(damaged, wanted) <= most;
  return isLike && Array.from(damaged).every((sign) => /\w/.test(sign) || wanted.includes(sign))
    ? damaged
    : '';
}
