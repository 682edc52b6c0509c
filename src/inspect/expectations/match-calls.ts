// Matches the calls of a sample with the calls that an expectation wants: in any order by maximum matching, in the listed
// order as a sequence. Says nothing; `judge-calls` puts it into words.
import { t } from '@vscode/l10n';
import { isRecord, isSame } from '../../library';
import type { CallPattern, JsonSchema, SampleCall } from '../../types';
import { isMatcher, printPattern } from '../matching/matchers';
import type { Mismatch } from '../matching/match-value';
import { matchValue } from '../matching/match-value';
import { findPairing, pairOthers } from '../matching/pairing';
import { showValue } from '../json-words';

/** What is known beside the sample itself. */
export interface JudgeContext {
  /** The tools that were offered. */
  tools: readonly { name: string; parameters: JsonSchema }[];
  /** @returns what violates the schema, as a sentence without its end; undefined when nothing does */
  checkSchema: (value: unknown, schema: unknown) => string | undefined;
}

/** Why a call is not the one that a pattern wants. */
export interface CallDifference {
  kind: 'tool' | 'source' | 'step' | 'not-json' | 'value' | 'undeclared' | 'unnamed' | 'schema' | 'untried';
  /** A whole sentence. */
  message: string;
  mismatch?: Mismatch | undefined;
}

/** Least and largest number of calls that a pattern wants. */
export interface Count {
  min: number;
  max: number;
}

export function rangeOf({ times = 1 }: CallPattern): Count {
  if (typeof times === 'number') return { min: times, max: times };
  return { min: times.min ?? 0, max: times.max ?? Infinity };
}

/** @returns every difference, that which says most first; empty when the call is one that the pattern wants */
export function compareCall(pattern: CallPattern, call: SampleCall, context: JudgeContext): CallDifference[] {
  if (pattern.tool !== call.name)
    return [{ kind: 'tool', message: t('{0} was called; expected {1}.', call.name, printCall(pattern)) }];
  return [...compareHead(pattern, call), ...compareArguments(pattern, call, context)];
}

function compareHead({ source, step }: CallPattern, call: SampleCall): CallDifference[] {
  const differences: CallDifference[] = [];
  if (source === 'native' && call.source === 'rescued')
    differences.push({
      kind: 'source',
      message: t(
        '{0} was written as text ({1}) and rescued; expected a native call.',
        call.name,
        call.format ?? '?',
      ),
    });
  if (source === 'rescued' && call.source === 'native')
    differences.push({
      kind: 'source',
      message: t('{0} was called natively; expected a call that is written as text.', call.name),
    });
  if (step !== undefined && step !== call.step)
    differences.push({
      kind: 'step',
      message: t('{0} was called in reply {1}; expected it in reply {2}.', call.name, call.step, step),
    });
  return differences;
}

function compareArguments(pattern: CallPattern, call: SampleCall, context: JudgeContext): CallDifference[] {
  const { name, parseError } = call;
  if (parseError !== undefined)
    return [{ kind: 'not-json', message: t('{0}: the arguments are {1}.', name, parseError) }];
  const args = call.arguments ?? {};
  const match = pattern.arguments === undefined ? undefined : matchValue(pattern.arguments, args, context);
  if (match?.untried !== undefined) return [{ kind: 'untried', message: `${match.untried}.` }];
  const values = (match?.mismatches ?? []).map((mismatch): CallDifference => ({
    kind: 'value',
    message: `${name}: ${mismatch.path === '' ? describeWhole(mismatch) : mismatch.message}`,
    mismatch,
  }));
  return [...values, ...compareNames(pattern, call, context), ...checkValid(pattern, call, context)];
}

const describeWhole = ({ found, expected }: Mismatch): string =>
  t('the arguments are {0}; expected {1}.', showValue(found), expected);

/** Arguments that the tool does not declare, and with `exact` also those that the pattern does not name. */
function compareNames(pattern: CallPattern, call: SampleCall, { tools }: JudgeContext): CallDifference[] {
  const schema = tools.find(({ name }) => name === call.name)?.parameters;
  if (!isRecord(call.arguments)) return [];
  const properties = isRecord(schema?.['properties']) ? schema['properties'] : {};
  const isOpen = !saysAllNames(schema);
  const named = namesIn(pattern.arguments);
  return Object.entries(call.arguments).flatMap(([key, value]): CallDifference[] => {
    if (named.has(key)) return [];
    if (!isOpen && !Object.hasOwn(properties, key))
      return [
        {
          kind: 'undeclared',
          message: t('{0} is not an argument of {1}; it is {2}.', key, call.name, showValue(value)),
        },
      ];
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const isDefault =
      isRecord(property) && Object.hasOwn(property, 'default') && isSame(property['default'], value);
    if (!pattern.exact || isDefault) return [];
    return [
      {
        kind: 'unnamed',
        message: t('{0}: {1} is {2}; expected no value.', call.name, key, showValue(value)),
      },
    ];
  });
}

/** The arguments that a pattern names, in any of its alternatives. */
function namesIn(pattern: unknown): ReadonlySet<string> {
  if (!isRecord(pattern)) return new Set();
  if (!isMatcher(pattern)) return new Set(Object.keys(pattern));
  const { $equals, $oneOf } = pattern;
  const alternatives = Array.isArray($oneOf) ? $oneOf.flatMap((each) => [...namesIn(each)]) : [];
  return new Set([...alternatives, ...(isRecord($equals) ? Object.keys($equals) : [])]);
}

/** Keywords with which a schema may have names elsewhere than in its `properties`. */
const OTHER_NAMES = ['patternProperties', '$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'];

function saysAllNames(schema: JsonSchema | undefined): boolean {
  const additional = schema?.['additionalProperties'];
  const isOpen = additional !== undefined && additional !== false;
  return (
    isRecord(schema?.['properties']) && !isOpen && !OTHER_NAMES.some((key) => Object.hasOwn(schema, key))
  );
}

function checkValid(
  { valid }: CallPattern,
  call: SampleCall,
  { tools, checkSchema }: JudgeContext,
): CallDifference[] {
  const tool = valid === false ? undefined : tools.find(({ name }) => name === call.name);
  const issue = tool && checkSchema(call.arguments ?? {}, tool.parameters);
  return issue === undefined
    ? []
    : [{ kind: 'schema', message: t('{0}: the arguments break the schema: {1}.', call.name, issue) }];
}

/** `get_weather {"city":"Oslo"}`. */
export const printCall = (pattern: CallPattern): string =>
  [pattern.tool, pattern.arguments === undefined ? '' : printPattern(pattern.arguments), printTimes(pattern)]
    .filter((part) => part !== '')
    .join(' ');

/** '' for once. */
function printTimes(pattern: CallPattern): string {
  const { min, max } = rangeOf(pattern);
  if (min === 1 && max === 1) return '';
  if (max === Infinity) return t('{0} or more times', min);
  return min === max ? t('{0} times', min) : t('{0} to {1} times', min, max);
}

/** Which calls are those that are wanted. */
export interface CallMatch {
  isMatch: boolean;
  /** For each call the index of its pattern; undefined without one. */
  patternOf: (number | undefined)[];
  /** Indices of patterns that have fewer calls than they want, once for each missing one. */
  missing: number[];
  /** Indices of calls that are not allowed beside the wanted ones. */
  unexpected: number[];
  /** A sentence when a regular expression could not be tried, so that nobody can tell. */
  untried?: string | undefined;
}

interface Wanted {
  patterns: readonly CallPattern[];
  calls: readonly SampleCall[];
  /** Whether a call may be made beside the wanted ones. */
  isExtra: (call: SampleCall) => boolean;
  context: JudgeContext;
}

/** Compares each call at most once with each pattern. */
function createComparison({ patterns, calls, context }: Wanted) {
  const known = new Map<number, boolean>();
  let untried: string | undefined;
  const isWanted = (pattern: number, call: number): boolean => {
    const key = pattern * calls.length + call;
    const before = known.get(key);
    if (before !== undefined) return before;
    const [wanted, made] = [patterns[pattern], calls[call]];
    const differences = wanted && made ? compareCall(wanted, made, context) : [];
    untried ??= differences.find(({ kind }) => kind === 'untried')?.message;
    const isMatch = differences.length === 0;
    known.set(key, isMatch);
    return isMatch;
  };
  return { isWanted, untried: () => untried };
}

/** Maximum number of places for calls times calls; about a tenth of a second. */
const MAX_PAIRS = 1_000_000;

/** Each pattern gets as many calls as it wants, if there is any way to do so. */
export function matchInAnyOrder(wanted: Wanted): CallMatch {
  const { patterns, calls, isExtra } = wanted;
  const comparison = createComparison(wanted);
  // A place for each call that a pattern may have; the required ones come first, so that they are filled first.
  const places = patterns.flatMap((pattern, index) => {
    const { min, max } = rangeOf(pattern);
    // One more required place than there are calls is enough to be missing.
    const most = Math.min(max, Math.max(calls.length, min), calls.length + 1);
    return Array.from({ length: most }, (_, count) => ({ index, isRequired: count < min }));
  });
  if (places.length * calls.length > MAX_PAIRS)
    return {
      isMatch: false,
      patternOf: [],
      missing: [],
      unexpected: [],
      untried: t('There are too many calls to compare.'),
    };
  places.sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
  const canPair = (place: number, call: number): boolean =>
    comparison.isWanted(places[place]?.index ?? 0, call);
  const isNeeded = calls.map((call) => !isExtra(call));
  const required = findPairing(places.filter((place) => place.isRequired).length, calls.length, canPair);
  const whole = [...required, ...places.slice(required.length).map(() => undefined)];
  const pairing = pairOthers(whole, isNeeded, canPair);
  const patternOf: CallMatch['patternOf'] = calls.map(() => undefined);
  for (const [place, call] of pairing.entries())
    if (call !== undefined) patternOf[call] = places[place]?.index;
  const missing = places.flatMap(({ index, isRequired }, place) =>
    isRequired && pairing[place] === undefined ? [index] : [],
  );
  const unexpected = calls.flatMap((_, call) =>
    patternOf[call] === undefined && isNeeded[call] ? [call] : [],
  );
  return {
    isMatch: missing.length === 0 && unexpected.length === 0,
    patternOf,
    missing,
    unexpected,
    untried: comparison.untried(),
  };
}

/** Whether the calls, without extra ones, are the wanted ones in the order of the list. */
export function isInListedOrder(wanted: Wanted): boolean {
  const { patterns, calls, isExtra } = wanted;
  const { isWanted } = createComparison(wanted);
  const ranges = patterns.map(rangeOf);
  // States: how many patterns are done, and how many calls the present one has. Counts above `min` are alike when there is
  // no `max`.
  let states = close(new Set([toState(0, 0)]), ranges);
  for (const [index, call] of calls.entries()) {
    const next = new Set<string>();
    for (const state of states) {
      const [pattern, count] = fromState(state);
      if (isExtra(call)) next.add(state);
      const range = ranges[pattern];
      if (range === undefined || count >= range.max || !isWanted(pattern, index)) continue;
      next.add(toState(pattern, range.max === Infinity ? Math.min(count + 1, range.min) : count + 1));
    }
    states = close(next, ranges);
  }
  return states.has(toState(patterns.length, 0));
}

const toState = (pattern: number, count: number): string => `${pattern} ${count}`;
const fromState = (state: string): [pattern: number, count: number] => {
  const [pattern = 0, count = 0] = state.split(' ').map(Number);
  return [pattern, count];
};

/** Adds the states in which the next pattern begins, because the present one has enough calls. */
function close(states: Set<string>, ranges: readonly Count[]): Set<string> {
  for (const state of states) {
    const [pattern, count] = fromState(state);
    const range = ranges[pattern];
    if (range !== undefined && count >= range.min) states.add(toState(pattern + 1, 0));
  }
  return states;
}
