// Judges the calls of a sample: what was, and what was expected, in sentences. Pure.
import { t } from '@vscode/l10n';
import type { CallDeparture, CallPattern, Expectation, SampleCall, SampleFacts } from '../../types';
import { countOf } from '../count-words';
import { cutShort, showValue } from '../json-words';
import { canonicalJson } from '../normal-form';
import type { CallDifference, CallMatch, JudgeContext } from './match-calls';
import { compareCall, isInListedOrder, matchInAnyOrder, printCall, rangeOf } from './match-calls';
import type { Judgement } from './judgement';
import { failed, passed, unjudged } from './judgement';

/** Maximum length of a call in a sentence, in UTF-16 code units. */
const MAX_CALL = 80;

export function judgeCalls(
  { calls: patterns = [], extra = 'none', order = 'any' }: Expectation,
  facts: SampleFacts,
  context: JudgeContext,
): Judgement {
  const { calls } = facts;
  const isExtra = ({ name }: SampleCall): boolean =>
    extra === 'allowed' || (typeof extra !== 'string' && extra.includes(name));
  const wanted = { patterns, calls, isExtra, context };
  const match = matchInAnyOrder(wanted);
  const shown = {
    expected: patterns.length === 0 ? t('no call') : patterns.map(printCall).join('\n'),
    actual: calls.length === 0 ? t('no call') : calls.map(printMadeCall).join('\n'),
  };
  if (!match.isMatch) {
    if (match.untried !== undefined) return unjudged(match.untried, shown);
    const { message, difference } = describe(wanted, match, facts);
    const details = calls.map((call, index) => describeCall(call, index, wanted, match));
    const [accept, departure] = [acceptOf(wanted, match, difference), departureOf(wanted, match)];
    return failed(message, { ...shown, details, accept, departure });
  }
  if (order === 'listed' && !isInListedOrder(wanted))
    return failed(describeOrder(wanted, match, facts), { ...shown, details: calls.map(printMadeCall) });
  if (extra !== 'allowed' && hasLostCall(facts, context))
    return failed(t('A call was made that cannot be read; expected {0}.', describeWanted(patterns)), shown);
  return passed(
    calls.length === 0 ? noCall(t('No call was made.'), facts) : t('{0}.', printList(calls)),
    shown,
  );
}

/** Whether the model wrote a call that is not among the calls, because nobody could read it. */
const hasLostCall = ({ calls, outcome, agent }: SampleFacts, { tools }: JudgeContext): boolean =>
  outcome === 'malformed' &&
  (calls.length === 0 || agent?.stop === 'error') &&
  // Broken arguments and unknown tools make a reply malformed as well, but their calls are here and are judged.
  calls.every(({ name, parseError }) => parseError === undefined && tools.some((tool) => tool.name === name));

const describeWanted = (patterns: Wanted['patterns']): string =>
  patterns.length === 0 ? t('none') : t('only {0}', printList(patterns.map(printCall)));

export function judgeNever({ never = [] }: Expectation, { calls }: SampleFacts): Judgement {
  const made = calls.filter(({ name }) => never.includes(name));
  const [first] = made;
  const shown = {
    expected: never.map((name) => t('never {0}', name)).join('\n'),
    actual: calls.length === 0 ? t('no call') : calls.map(printMadeCall).join('\n'),
  };
  if (!first) return passed(t('None of {0} was called.', never.join(', ')), shown);
  return failed(t('{0} was called; expected never.', printMadeCall(first)), {
    ...shown,
    details: made.map(printMadeCall),
  });
}

interface Wanted {
  patterns: NonNullable<Expectation['calls']>;
  calls: readonly SampleCall[];
  isExtra: (call: SampleCall) => boolean;
  context: JudgeContext;
}

interface Description {
  message: string;
  /** The difference that the message is about. */
  difference?: CallDifference | undefined;
}

function describe(wanted: Wanted, match: CallMatch, facts: SampleFacts): Description {
  const { patterns, calls } = wanted;
  const [pattern] = patterns;
  if (calls.length === 0) return { message: describeNoCall(wanted, facts) };
  if (pattern === undefined)
    return {
      message: countOf(
        calls.length,
        t('{0} call was made: {1}; expected none.', '{0}', printList(calls)),
        t('{0} calls were made: {1}; expected none.', '{0}', printList(calls)),
      ),
    };
  const [call] = calls;
  if (patterns.length === 1 && calls.length === 1 && call && rangeOf(pattern).max >= 1) {
    const [difference] = compareCall(pattern, call, wanted.context);
    if (difference) return { message: difference.message, difference };
  }
  return { message: describeCounts(wanted, match) };
}

function describeNoCall({ patterns }: Wanted, facts: SampleFacts): string {
  const expected = patterns.filter((pattern) => rangeOf(pattern).min > 0).map(printCall);
  return noCall(t('No call was made; expected {0}.', cutShort(expected.join(', '), 120)), facts);
}

/** With a note on what would have been rescued. */
const noCall = (message: string, { unread = [] }: SampleFacts): string =>
  unread.length === 0
    ? message
    : `${message} ${t('The reply holds a call as text ({0}); rescue is off.', [...new Set(unread)].join(', '))}`;

/** `1 of 2 expected calls is missing: …; 2 calls were made, 1 unexpected: …` */
function describeCounts({ patterns, calls }: Wanted, { patternOf, missing, unexpected }: CallMatch): string {
  const required = patterns.reduce((sum, pattern) => sum + rangeOf(pattern).min, 0);
  const lost = [...new Set(missing)].flatMap((index): CallPattern[] => {
    const pattern = patterns[index];
    if (!pattern) return [];
    const there = patternOf.filter((each) => each === index).length;
    return [{ ...pattern, times: rangeOf(pattern).min - there }];
  });
  const lostCount = lost.reduce((sum, pattern) => sum + rangeOf(pattern).min, 0);
  const others = unexpected.flatMap((index) => calls[index] ?? []);
  const made = countOf(calls.length, t('{0} call was made'), t('{0} calls were made'));
  const odd = t('{0} unexpected: {1}', others.length, printList(others));
  if (lost.length === 0)
    return t('{0}, {1}; expected only {2}.', made, odd, printList(patterns.map(printCall)));
  const list = printList(lost.map(printCall));
  const gone =
    lostCount === 1
      ? t('{0} of {1} expected calls is missing: {2}', 1, required, list)
      : t('{0} of {1} expected calls are missing: {2}', lostCount, required, list);
  return others.length === 0 ? `${gone}; ${made}.` : `${gone}; ${made}, ${odd}.`;
}

/** `refund (step 1) came before find_customer (step 2).` */
function describeOrder(
  { patterns, calls, isExtra }: Wanted,
  { patternOf }: CallMatch,
  { agent }: SampleFacts,
): string {
  const places = calls.flatMap((call, index) => {
    const pattern = patternOf[index];
    return pattern === undefined ? [] : [{ call, index, pattern }];
  });
  const nameOf = ({ call, index }: { call: SampleCall; index: number }): string =>
    agent ? t('{0} (step {1})', call.name, call.step) : t('{0} (call {1})', call.name, index + 1);
  for (const [at, late] of places.entries()) {
    const early = places.slice(at + 1).find(({ pattern }) => pattern < late.pattern);
    if (early) return t('{0} came before {1}.', nameOf(late), nameOf(early));
  }
  const odd = calls.filter((call, index) => patternOf[index] === undefined && !isExtra(call));
  return t(
    'The calls are {0}; expected them in the order {1}.',
    printList(odd.length > 0 ? odd : calls),
    printList(patterns.map(printCall)),
  );
}

/** A line for each call: whether it is wanted, and else what is wrong with it. */
function describeCall(call: SampleCall, index: number, wanted: Wanted, match: CallMatch): string {
  const made = printMadeCall(call);
  if (match.patternOf[index] !== undefined) return t('matched: {0}', made);
  if (!match.unexpected.includes(index)) return t('not asked for, allowed: {0}', made);
  const [nearest] = nearestOf(call, wanted, match);
  return nearest ? t('wrong: {0}. {1}', made, nearest.message) : t('unexpected: {0}', made);
}

/** The differences of the call to the pattern of its tool that comes nearest; of those with a missing call, if there are. */
function nearestOf(
  call: SampleCall,
  { patterns, context }: Wanted,
  { missing }: CallMatch,
): CallDifference[] {
  const same = patterns.flatMap((pattern, index) => (pattern.tool === call.name ? [{ pattern, index }] : []));
  const open = same.filter(({ index }) => missing.includes(index));
  const compared = (open.length > 0 ? open : same).map(({ pattern }) => compareCall(pattern, call, context));
  return compared.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

function departureOf({ patterns, calls }: Wanted, { missing, unexpected }: CallMatch): CallDeparture {
  const lost = missing.flatMap((index) => patterns[index]?.tool ?? []);
  const odd = unexpected.flatMap((index) => calls[index]?.name ?? []);
  const [expected] = takeAway(lost, odd);
  const [made] = takeAway(odd, lost);
  const tools = { expected: expected ?? '', made: made ?? '' };
  if (calls.length === 0) return { kind: 'no-call', ...tools };
  if (patterns.length === 0) return { kind: 'call', ...tools };
  if (expected !== undefined && made !== undefined) return { kind: 'other-tool', ...tools };
  if (expected !== undefined || made !== undefined) return { kind: 'other-count', ...tools };
  const [tool = ''] = lost;
  return { kind: 'other-arguments', expected: tool, made: tool };
}

/** The names without the other ones, each of which takes away one that is equal. */
function takeAway(names: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of others) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.filter((name) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count - 1);
    return count <= 0;
  });
}

/** Only when one call differs from one pattern in one value, accepting that value makes the expectation pass. */
function acceptOf(
  { patterns }: Wanted,
  _match: CallMatch,
  difference: CallDifference | undefined,
): Judgement['accept'] {
  const { mismatch } = difference ?? {};
  if (patterns.length !== 1 || mismatch === undefined || mismatch.found === undefined) return undefined;
  return { path: ['calls', 0, 'arguments', ...mismatch.at], value: mismatch.found };
}

/** A call as it was made, with the keys of its arguments sorted. */
export function printMadeCall({ name, arguments: args, parseError }: SampleCall): string {
  if (parseError !== undefined) return t('{0} with arguments that are {1}', name, parseError);
  return args === undefined ? name : `${name} ${printSorted(args)}`;
}

const printSorted = (value: unknown): string => {
  try {
    return canonicalJson(value);
  } catch {
    return showValue(value);
  }
};

/** At most three calls, each cut. */
function printList(calls: readonly (SampleCall | string)[]): string {
  const shown = calls
    .slice(0, 3)
    .map((call) => cutShort(typeof call === 'string' ? call : printMadeCall(call), MAX_CALL));
  return [...shown, ...(calls.length > shown.length ? ['…'] : [])].join(', ');
}
