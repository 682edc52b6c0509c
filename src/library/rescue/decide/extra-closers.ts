// Notes closers that were cut from the content and closed nothing, as repairs of the calls next to them. The tokens are
// passed in.
import type { RescuedCall } from '../../../types';
import type { Dialects } from '../core/dialects';
import type { RescueContext } from '../core/rescue-context';
import type { RescueFormat } from '../core/rescue-format';
import type { Span } from '../text/cut-text';
import { findMatchEnd } from '../text/match-end';
import { countBelow, skipToken } from './stray-tokens';
import { skipWhite } from '../text/white-space';

/** Number of repairs of a call beyond which no closers are noted, because a loop may write a hundred thousand of them. */
const MAX_REPAIRS = 32;
const TURN_END = /\[\|\w{1,32}\|\]/y;
const LONGEST_ELEMENT = 4096;

/**
 * Notes the closers in the residue as repairs of the call before them, or else of the first call. Closers that the call's
 * format writes only after some calls are not noted.
 */
export function noteExtraClosers(
  { text, dialects }: RescueContext,
  residue: readonly Span[],
  calls: readonly RescuedCall[],
  formats: readonly RescueFormat[],
): void {
  const own = new Map(
    formats.map(({ id, closers = [], endTokens = [] }) => [id, [...closers, ...endTokens]]),
  );
  const places: TagPlaces = new Map();
  let before = -1;
  let last: Span = { start: -1, end: -1 };
  const written = residue.filter(({ start, end }) => skipWhite(text, start) < end);
  for (const span of written.toSorted((one, other) => one.start - other.start)) {
    const { start, end } = span;
    // Often a span is found twice: as what follows a call, and as tokens that stand there.
    if (start === last.start && end <= last.end) continue;
    last = span;
    while ((calls[before + 1]?.end ?? Infinity) <= start) before += 1;
    const call = calls[Math.max(0, before)];
    // Before the first call only a closing tag is noted: any other token may have closed a message.
    if (!call || (before === -1 && !text.startsWith('</', start))) continue;
    const isOwn = (token: string): boolean =>
      own.get(call.format)?.includes(token) === true && !text.slice(call.start, call.end).includes(token);
    for (let at = skipWhite(text, start); at < end && call.repairs.length < MAX_REPAIRS;) {
      const token = readToken(text, at, dialects);
      const isExtra =
        token === ''
          ? '}])'.includes(text.charAt(at))
          : mayBeExtra(token, dialects) && !isOwn(token) && !closesElement(text, at, token, places);
      if (isExtra) addRepair(call, token, at);
      at = skipWhite(text, at + Math.max(1, token.length));
    }
  }
}

function readToken(text: string, at: number, { trailing }: Dialects): string {
  const known = trailing.find(text, at);
  if (known !== undefined) return known;
  const end = skipToken(text, at);
  return text.slice(at, end > at ? end : findMatchEnd(TURN_END, text, at));
}

/** Whether the token closes something. Ends of turns are no damage, and some tokens also open what they close. */
const mayBeExtra = (token: string, { closers, openers }: Dialects): boolean =>
  closers.has(token) && !openers.has(token);

/** By literal: the offsets at which it occurs. */
type TagPlaces = Map<string, readonly number[]>;

/** Whether more opening than closing tags of this name come before it. */
function closesElement(text: string, at: number, token: string, places: TagPlaces): boolean {
  if (!token.startsWith('</')) return false;
  const opened = countBefore(text, at, `<${token.slice(2, -1)}`, places);
  // Usually there is none, and then nothing else has to be counted.
  return opened > 0 && opened > countBefore(text, at, token, places);
}

/** How often the literal occurs before `at`, in the text that one element may have. */
function countBefore(text: string, at: number, literal: string, places: TagPlaces): number {
  const found = places.get(literal) ?? findAll(text, literal);
  places.set(literal, found);
  return countBelow(found, at - literal.length + 1) - countBelow(found, at - LONGEST_ELEMENT);
}

function findAll(text: string, literal: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + literal.length))
    found.push(at);
  return found;
}

/** Spans may overlap, so that the same closer is found twice. */
function addRepair(call: RescuedCall, token: string, at: number): void {
  if (call.repairs.some((repair) => repair.at === at)) return;
  const kind = 'extra-closer';
  const repair = token === '' ? { kind, at } : { kind, at, note: `${token} closes nothing` };
  // Not `push`, which would reserve room for 16 more in each of 40,000 calls.
  call.repairs = call.repairs.toSpliced(call.repairs.length, 0, repair);
}
