// Compares a JSON value with a pattern of values and matchers: of a mock's `when`, a row filter or an expectation.
import { t } from '@vscode/l10n';
import { isRecord } from '../../library';
import { cutShort, describeValue, showValue } from '../json-words';
import type { Place, Walk, WrittenMatcher } from './matchers';
import { isMatcher, MATCHERS, printPattern, subjectOf, UntriedError } from './matchers';

/** Maximum number of values that are compared; whether a pattern that asks for more matches is not told. */
const MAX_COMPARED = 200_000;

/** In UTF-16 code units. */
const MAX_EXPECTED = 120;

/** A place where the value is not what the pattern wants. */
export interface Mismatch extends Omit<Place, 'at'> {
  /** Of the wanted value in the pattern. */
  at: readonly (string | number)[];
  /** What was expected, as the end of a sentence: `"NYC" or "new york" (any case)`. */
  expected: string;
  /** The whole sentence: `city is "Newark"; expected "NYC".` */
  message: string;
}

/** How far a value is what a pattern wants: it matches when `mismatches` is empty and `untried` absent. */
export interface ValueMatch {
  /** Number of values of the pattern that were found as they are wanted. */
  matched: number;
  mismatches: Mismatch[];
  /** Why it cannot be told whether the value matches, as a sentence without its end; `mismatches` is empty then. */
  untried?: string | undefined;
}

/** How to match. */
export interface MatchOptions {
  /** @returns what violates the schema, as a sentence without its end; undefined when nothing does */
  checkSchema: (value: unknown, schema: unknown) => string | undefined;
  /** The search ends at this many mismatches. @default Infinity */
  mostMismatches?: number | undefined;
}

/**
 * Objects match when every key of the pattern does, lists when they have the same length and each element matches, a matcher
 * when all its keys hold, anything else when it is equal without conversion. Only the pattern is walked, so the size and
 * depth of the value do not matter.
 */
export function matchValue(pattern: unknown, value: unknown, options: MatchOptions): ValueMatch {
  const walk = new PatternWalk(options);
  try {
    walk.run({ wanted: pattern, found: value, path: '' });
  } catch (error) {
    if (error instanceof UntriedError) return { matched: 0, mismatches: [], untried: error.message };
    throw error;
  }
  return { matched: walk.matched, mismatches: walk.mismatches };
}

/** What differs from the usual words. */
interface Words {
  expected?: string | undefined;
  message?: string | undefined;
}

class PatternWalk implements Walk {
  matched = 0;
  readonly mismatches: Mismatch[] = [];
  readonly checkSchema: Walk['checkSchema'];
  readonly #queue: Place[] = [];
  readonly #most: number;
  /** The walk for which this one only asks whether an alternative matches. */
  readonly #outer: PatternWalk | undefined;
  #compared = 0;
  #differs = false;

  constructor({ checkSchema, mostMismatches = Infinity }: MatchOptions, outer?: PatternWalk) {
    this.checkSchema = checkSchema;
    this.#most = mostMismatches;
    this.#outer = outer;
  }

  readonly matches = (wanted: unknown, found: unknown): boolean => {
    const inner = new PatternWalk({ checkSchema: this.checkSchema }, this);
    inner.run({ wanted, found, path: '' });
    return !inner.#differs;
  };

  readonly descend = (place: Place): void => void this.#queue.push(place);

  run(place: Place): void {
    this.descend(place);
    // A queue instead of recursion, because a deep pattern must not exhaust the stack.
    for (const each of this.#queue) {
      if (this.mismatches.length >= this.#most || (this.#outer && this.#differs)) return;
      if (this.#count() > MAX_COMPARED) throw new UntriedError(t('There is too much to compare'));
      this.#compare(each);
    }
  }

  /** What alternatives compare counts too: nested ones could try combinations without end. */
  #count(): number {
    if (this.#outer) return this.#outer.#count();
    this.#compared += 1;
    return this.#compared;
  }

  #compare(place: Place): void {
    const { wanted, found } = place;
    if (isMatcher(wanted)) this.#matchAll(wanted, place);
    else if (Array.isArray(wanted)) this.#matchList(wanted, place);
    else if (isRecord(wanted) && isRecord(found)) this.#matchMembers(wanted, found, place);
    else if (wanted === found) this.matched += 1;
    else this.#record(place);
  }

  #matchAll(matcher: WrittenMatcher, place: Place): void {
    for (const [key, operand] of Object.entries(matcher)) {
      const { match, print } = MATCHERS[key] ?? {};
      const answer = match?.(operand, place, this, matcher);
      if (answer === true) this.matched += 1;
      else if (answer !== undefined)
        this.#record(place, () => ({
          expected: print?.(operand, matcher, 0),
          ...(answer !== false && answer),
        }));
    }
  }

  #matchList(wanted: readonly unknown[], place: Place): void {
    const { found, path, at } = place;
    if (!Array.isArray(found) || found.length !== wanted.length) this.#record(place);
    else if (wanted.length === 0) this.matched += 1;
    else
      for (const [index, each] of wanted.entries())
        this.descend({
          wanted: each,
          found: found[index],
          path: `${path}[${index}]`,
          at: { key: index, outer: at },
        });
  }

  #matchMembers(wanted: object, found: Readonly<Record<string, unknown>>, { path, at }: Place): void {
    for (const [key, each] of Object.entries(wanted))
      this.descend({
        wanted: each,
        // Only own keys, because every object inherits `constructor`.
        found: Object.hasOwn(found, key) ? found[key] : undefined,
        path: path === '' ? key : `${path}.${key}`,
        at: { key, outer: at },
      });
    if (Object.keys(wanted).length === 0) this.matched += 1;
  }

  #record(place: Place, toWords: () => Words = () => ({})): void {
    this.#differs = true;
    if (this.#outer) return;
    const { wanted, found, path } = place;
    const words = toWords();
    const expected = cutShort(words.expected ?? printPattern(wanted), MAX_EXPECTED);
    const message =
      words.message ?? t('{0} is {1}; expected {2}.', subjectOf(path), foundOf(place), expected);
    this.mismatches.push({ wanted, found, path, at: toPath(place.at), expected, message });
  }
}

function toPath(at: Place['at']): (string | number)[] {
  const path: (string | number)[] = [];
  for (let step = at; step; step = step.outer) path.push(step.key);
  return path.toReversed();
}

/** Names the type too where it is what differs: `the text "59.91"` for a number. */
function foundOf({ wanted, found }: Place): string {
  if (found === undefined) return describeValue(found);
  const wantsNumber =
    typeof wanted === 'number' ||
    (isMatcher(wanted) && ['$near', '$min', '$max'].some((key) => key in wanted));
  return typeof found === 'string' && wantsNumber && !(isMatcher(wanted) && wanted['$length'] === true)
    ? t('the text {0}', showValue(found))
    : showValue(found);
}
