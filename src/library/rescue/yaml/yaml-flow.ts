// Reads YAML's collections in brackets, including JSON: a dialect of objects whose texts need no quotes. What YAML has
// beyond it, such as its own escapes, comments and keys without a value, is a failure. Independent of lines.
import { readBareObject } from '../brackets/bare-object-reader';
import type { BareStyle } from '../brackets/bare-values';
import { RepairLog } from '../core/repair-log';
import { TextSource } from '../core/rescue-context';
import type { BracketReading } from '../json/bracket-reader';
import { foldBreaks, resolvePlain } from './yaml-scalars';

/** In text without quotes: an anchor, a tag or another indicator, brackets, a comment, or a pair inside a value. */
const STRANGE = /^[&!|>`#]|[[\]{}]|\s#|:(?:\s|$)/;
/** Indicators that models write all the same, as in `@me`. */
const LOOSE = /^[*@%]/;

const STYLE: BareStyle = {
  stops: [],
  delimiters: [],
  ends: [],
  endsAtComma: true,
  readScalar(written) {
    if (STRANGE.test(written)) return undefined;
    const text = foldBreaks(written);
    return { value: LOOSE.test(text) ? text : resolvePlain(text) };
  },
};

/** Repairs of JSON that YAML needs none for. */
const USUAL: ReadonlySet<string> = new Set(['single-quotes', 'foreign-body', 'trailing-comma']);

/** Reads the collection whose bracket is at `at`. */
export function readFlow(text: string, at: number): BracketReading {
  const log = new RepairLog();
  const reading = readBareObject(new TextSource(text), at, STYLE, log);
  // In single quotes, YAML has no backslashes that begin an escape.
  const hasEscape = text.slice(at, reading.end).includes('\\');
  const isDamage = (kind: string): boolean => !USUAL.has(kind) || (kind === 'single-quotes' && hasEscape);
  const damage = log.repairs.find(({ kind }) => isDamage(kind));
  if (!damage) return reading;
  return { end: reading.end, failure: { reason: 'malformed', at: damage.at, inside: 'the value' } };
}
