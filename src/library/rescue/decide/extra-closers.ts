// Notes closers that were cut from the content and closed nothing, as repairs of the calls next to them. The tokens are
// passed in.
import type { RescuedCall, RescueRepair } from '../../../types';
import type { Dialects } from '../core/dialects';
import type { RescueContext } from '../core/rescue-context';
import type { RescueFormat } from '../core/rescue-format';
import type { Span } from '../text/cut-text';
import { findMatchEnd } from '../text/match-end';
import { countBelow, skipToken } from './stray-tokens';
import { skipWhite } from '../text/white-space';

/** Maximum number of repairs noted for a run of closers, because a loop may write a hundred thousand of them. */
const MAX_NOTED = 32;
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
  formats: ReadonlySet<RescueFormat>,
): void {
  const search = new CloserSearch(text, dialects, formats);
  let before = -1;
  const written = residue.filter(({ start, end }) => skipWhite(text, start) < end);
  for (const span of written.toSorted((one, other) => one.start - other.start)) {
    while ((calls[before + 1]?.end ?? Infinity) <= span.start) before += 1;
    const call = calls[Math.max(0, before)];
    // Before the first call only a closing tag is noted: any other token may have closed a message.
    if (!call || (before === -1 && !text.startsWith('</', span.start))) continue;
    if (call.repairs.length >= MAX_NOTED && call.repairs.filter(isExtra).length >= MAX_NOTED) continue;
    search.note(span, call);
  }
}

const isExtra = ({ kind }: RescueRepair): boolean => kind === 'extra-closer';

class CloserSearch {
  readonly #text: string;
  readonly #dialects: Dialects;
  /** By format: literals that may follow its calls. */
  readonly #own: ReadonlyMap<string, ReadonlySet<string>>;
  /** By literal: the offsets at which it occurs. */
  readonly #places = new Map<string, readonly number[]>();

  constructor(text: string, dialects: Dialects, formats: ReadonlySet<RescueFormat>) {
    this.#text = text;
    this.#dialects = dialects;
    this.#own = new Map(
      Array.from(formats, ({ id, closers = [], endTokens = [] }) => [
        id,
        new Set([...closers, ...endTokens]),
      ]),
    );
  }

  /** Notes the closers in a run of tokens that is cut, at most MAX_NOTED. Ends of turns are not damage. */
  note({ start, end }: Span, call: RescuedCall): void {
    let count = 0;
    let at = skipWhite(this.#text, start);
    while (at < end && count < MAX_NOTED) {
      const token = this.#readToken(at);
      if (this.#isExtra(token, at, call)) {
        count += 1;
        addRepair(call.repairs, token, at);
      }
      at = skipWhite(this.#text, at + Math.max(1, token.length));
    }
  }

  #readToken(at: number): string {
    const known = this.#dialects.trailing.find(this.#text, at);
    if (known !== undefined) return known;
    const end = skipToken(this.#text, at);
    return this.#text.slice(at, end > at ? end : findMatchEnd(TURN_END, this.#text, at));
  }

  /** Whether the token, or with '' the bracket, closes nothing. Some tokens also open what they close. */
  #isExtra(token: string, at: number, call: RescuedCall): boolean {
    if (token === '') return '}])'.includes(this.#text.charAt(at));
    const { closers, openers } = this.#dialects;
    return closers.has(token) && !openers.has(token) && !this.#isUsual(token, at, call);
  }

  /** Whether the call's format writes the closer after some calls, this one being without it, or an element ends there. */
  #isUsual(token: string, at: number, { format, start, end }: RescuedCall): boolean {
    const isOwn = this.#own.get(format)?.has(token) === true && !this.#text.slice(start, end).includes(token);
    return isOwn || this.#closesElement(token, at);
  }

  /** Whether more opening than closing tags of this name come before it. */
  #closesElement(token: string, at: number): boolean {
    if (!token.startsWith('</')) return false;
    const opened = this.#count(`<${token.slice(2, -1)}`, at);
    // Usually there is none, and then nothing else has to be counted.
    return opened > 0 && opened > this.#count(token, at);
  }

  /** How often the literal occurs before `at`, in the text that one element may have. */
  #count(literal: string, at: number): number {
    let places = this.#places.get(literal);
    if (!places) this.#places.set(literal, (places = findAll(this.#text, literal)));
    return countBelow(places, at - literal.length + 1) - countBelow(places, at - LONGEST_ELEMENT);
  }
}

/** Spans may overlap, so that the same closer is found twice. */
function addRepair(repairs: RescueRepair[], token: string, at: number): void {
  if (repairs.some((repair) => repair.at === at)) return;
  const kind = 'extra-closer';
  repairs.push(token === '' ? { kind, at } : { kind, at, note: `${token} closes nothing` });
}

function findAll(text: string, literal: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + literal.length))
    places.push(at);
  return places;
}
