// Judges one sample by the expectations of its playground. A pure function of what is stored: judging again costs no request.
import { t } from '@vscode/l10n';
import type {
  Expectation,
  JudgedExpectation,
  OutcomeKind,
  Range,
  ReplyLimits,
  SampleFacts,
  SampleVerdict,
} from '../../types';
import { formatDuration } from '../count-words';
import { cutShort } from '../json-words';
import { matchValue } from '../matching/match-value';
import { joinWords, printPattern } from '../matching/matchers';
import { judgeCalls, judgeNever } from './judge-calls';
import type { Judgement } from './judgement';
import { failed, passed, unjudged } from './judgement';
import type { JudgeContext } from './match-calls';

/** In UTF-16 code units. */
const MAX_MESSAGE = 200;

/** Where a sample belongs: expectations may hold for some lanes and rows only. */
export interface SamplePlace {
  laneId: string;
  /** The variables of the row. */
  variables: Readonly<Record<string, unknown>>;
}

/**
 * @param expectations With the row's values in place of placeholders.
 * @returns one judgement for each expectation that holds for the sample
 */
export function judgeSample(
  expectations: readonly Expectation[],
  place: SamplePlace,
  facts: SampleFacts,
  context: JudgeContext,
): JudgedExpectation[] {
  const applied = expectations.map((expectation) => applies(expectation, place, context));
  const outcome = outcomeInRow(
    facts,
    expectations.filter((_, index) => applied[index] === true),
  );
  return expectations.flatMap((expectation, index): JudgedExpectation[] => {
    const found = applied[index] ?? false;
    if (found === false) return [];
    if (found !== true) return [judgeUntried(expectation, index, found.untried)];
    // An answer where no call is expected came without a call, too: either word names it.
    const isNamed = toList(expectation.verdict).includes(facts.outcome);
    return [judgeExpectation(expectation, index, isNamed ? facts : { ...facts, outcome }, context)];
  });
}

/** A sample fails if any expectation fails, else has no verdict if any has none, else passes. */
export function verdictOf(judged: readonly JudgedExpectation[]): Exclude<SampleVerdict, 'not-run'> {
  const verdicts = new Set(judged.map(({ verdict }) => verdict));
  if (verdicts.has('failed')) return 'failed';
  return verdicts.has('no-verdict') ? 'no-verdict' : 'passed';
}

/** Whether an expectation applies to the samples of a lane and row. */
export const holdsFor = (
  expectation: Expectation,
  place: SamplePlace,
  context: Pick<JudgeContext, 'checkSchema'>,
): boolean => applies(expectation, place, context) === true;

/** @returns why nobody can tell, when `when` cannot be compared with the row */
function applies(
  { lanes, when }: Expectation,
  { laneId, variables }: SamplePlace,
  { checkSchema }: Pick<JudgeContext, 'checkSchema'>,
): boolean | { untried: string } {
  if (lanes && !lanes.includes(laneId)) return false;
  if (when === undefined) return true;
  const { mismatches, untried } = matchValue(when, variables, { checkSchema, mostMismatches: 1 });
  return untried === undefined ? mismatches.length === 0 : { untried: `${untried}.` };
}

/** Passing over an expectation in silence would let a sample pass that was never judged by it. */
function judgeUntried({ name, when }: Expectation, index: number, message: string): JudgedExpectation {
  const expected = t('for rows with {0}', printPattern(when));
  return {
    index,
    name,
    verdict: 'no-verdict',
    message: cutShort(message, MAX_MESSAGE),
    details: [],
    expected,
    actual: '',
  };
}

/** A reply without a call is an answer where none is expected. @param held The expectations that hold for the sample */
export const outcomeInRow = (
  { outcome, unread }: Pick<SampleFacts, 'outcome' | 'unread'>,
  held: readonly Expectation[],
): OutcomeKind =>
  outcome === 'none' && !unread && held.some(({ calls }) => calls?.length === 0) ? 'answer' : outcome;

type Judge = (expectation: Expectation, facts: SampleFacts, context: JudgeContext) => Judgement[];

/** In the order in which their messages are shown. */
const JUDGES: readonly (readonly [keyof Expectation, Judge])[] = [
  ['calls', (...given) => [judgeCalls(...given)]],
  ['never', (expectation, facts) => [judgeNever(expectation, facts)]],
  ['verdict', (expectation, facts) => [judgeVerdict(expectation, facts)]],
  ['text', (...given) => [judgeText(...given)]],
  ['finish', (expectation, facts) => [judgeFinish(expectation, facts)]],
  ['stop', (expectation, facts) => [judgeStop(expectation, facts)]],
  ['steps', (expectation, facts) => [judgeSteps(expectation, facts)]],
  ['max', ({ max = {} }, facts) => judgeLimits(max, facts)],
];

/** @param index Its place in the list of expectations, by which the judgement names it. */
export function judgeExpectation(
  expectation: Expectation,
  index: number,
  facts: SampleFacts,
  context: JudgeContext,
): JudgedExpectation {
  const judgements = JUDGES.flatMap(([key, judge]) =>
    expectation[key] === undefined ? [] : judge(expectation, facts, context),
  );
  const of = (verdict: Judgement['verdict']): Judgement[] =>
    judgements.filter((each) => each.verdict === verdict);
  const [first = passed('', { expected: '', actual: '' }), ...others] = [
    ...of('failed'),
    ...of('no-verdict'),
    ...of('passed'),
  ];
  const cause = first.verdict === 'failed' && facts.cause !== undefined ? [facts.cause] : [];
  return {
    index,
    name: expectation.name,
    verdict: first.verdict,
    message: cutShort(first.message, MAX_MESSAGE),
    details: [
      ...first.details,
      ...others.filter(({ verdict }) => verdict !== 'passed').map(({ message }) => message),
      ...cause,
    ],
    expected: judgements.map(({ expected }) => expected).join('\n'),
    actual: judgements.map(({ actual }) => actual).join('\n'),
    ...(first.accept && { accept: first.accept }),
    ...(first.departure && { departure: first.departure }),
  };
}

function judgeText({ text }: Expectation, facts: SampleFacts, context: JudgeContext): Judgement {
  const shown = { expected: t('text: {0}', printPattern(text)), actual: facts.text };
  const { mismatches, untried } = matchValue(text, facts.text, context);
  if (untried !== undefined) return unjudged(`${untried}.`, shown);
  const [first, ...others] = mismatches;
  if (!first) return passed(t('The text is {0}.', printPattern(text)), shown);
  const accept = first.path === '' &&
    first.found !== undefined && { accept: { path: ['text', ...first.at], value: first.found } };
  return failed(first.message, { ...shown, details: others.map(({ message }) => message), ...accept });
}

const toList = <T extends string>(value: T | readonly T[] | undefined): readonly T[] =>
  typeof value === 'string' ? [value] : (value ?? []);

const joinOr = (words: readonly string[]): string => joinWords(words, t('or'));

const judgeWord = (what: string, word: string, expected: readonly string[]): Judgement => {
  const shown = { expected: `${what}: ${joinOr(expected)}`, actual: `${what}: ${word}` };
  return expected.includes(word)
    ? passed(t('{0} is {1}.', what, word), shown)
    : failed(t('{0} is {1}; expected {2}.', what, word, joinOr(expected)), shown);
};

const judgeVerdict = ({ verdict }: Expectation, { outcome }: SampleFacts): Judgement =>
  judgeWord(t('The verdict'), outcome, toList(verdict));

/** Words of servers for the four common reasons. From the references of OpenAI, Ollama, Anthropic, Gemini and llama.cpp. */
const FINISH_WORDS: Readonly<Record<string, readonly string[]>> = {
  stop: ['stop', 'end_turn', 'stop_sequence', 'eos', 'completed', 'complete', 'STOP', 'COMPLETE'],
  length: ['length', 'max_tokens', 'max_output_tokens', 'MAX_TOKENS', 'model_length', 'limit'],
  'tool-calls': ['tool_calls', 'function_call', 'tool_use', 'tool_call', 'tool-calls', 'TOOL_CALL'],
  'content-filter': [
    'content_filter',
    'content-filter',
    'safety',
    'SAFETY',
    'refusal',
    'PROHIBITED_CONTENT',
    'RECITATION',
  ],
};

/** One of the four common reasons, or the word itself. */
const normaliseFinish = (word: string): string =>
  Object.keys(FINISH_WORDS).find((reason) => FINISH_WORDS[reason]?.includes(word)) ?? word;

function judgeFinish({ finish }: Expectation, facts: SampleFacts): Judgement {
  const expected = toList(finish);
  if (facts.finish === undefined)
    return unjudged(t('The server reported no finish reason, so {0} has no verdict.', 'finish'), {
      expected: joinOr(expected),
      actual: t('no finish reason'),
    });
  const word = expected.includes(facts.finish) ? facts.finish : normaliseFinish(facts.finish);
  return judgeWord(t('The finish reason'), word, expected);
}

function judgeStop({ stop }: Expectation, { agent }: SampleFacts): Judgement {
  const expected = toList(stop);
  if (!agent) return onlyOfAgents('stop', joinOr(expected));
  return judgeWord(t('The stop reason'), agent.stop, expected);
}

function judgeSteps({ steps = {} }: Expectation, { agent }: SampleFacts): Judgement {
  if (!agent) return onlyOfAgents('steps', printRange(steps));
  const { min = 0, max = Infinity } = steps;
  const shown = { expected: t('steps: {0}', printRange(steps)), actual: t('steps: {0}', agent.steps) };
  if (agent.steps >= min && agent.steps <= max)
    return passed(t('The run took {0} steps.', agent.steps), shown);
  const expected = agent.steps > max ? t('at most {0}', max) : t('at least {0}', min);
  return failed(t('The run took {0} steps; expected {1}.', agent.steps, expected), shown);
}

const printRange = ({ min, max }: Range): string =>
  [min === undefined ? '' : t('at least {0}', min), max === undefined ? '' : t('at most {0}', max)]
    .filter((part) => part !== '')
    .join(', ');

const onlyOfAgents = (key: string, expected: string): Judgement =>
  unjudged(t('Only an agent run has steps, so {0} has no verdict.', key), {
    expected,
    actual: t('one reply'),
  });

const TOKENS = new Set<string>(['promptTokens', 'completionTokens', 'totalTokens']);

function judgeLimits(max: ReplyLimits, facts: SampleFacts): Judgement[] {
  return Object.entries(max).flatMap(([key, limit]) =>
    typeof limit === 'number' && isLimit(key) ? [judgeLimit(key, limit, facts)] : [],
  );
}

const LIMIT_FORMATS: Readonly<Record<keyof ReplyLimits, (value: number) => string>> = {
  promptTokens: String,
  completionTokens: String,
  totalTokens: String,
  // Costs are sums: 0.1 + 0.2 is 0.30000000000000004.
  costUsd: (value) => t('{0} USD', Number(value.toPrecision(12))),
  timeMs: formatDuration,
  firstTokenMs: formatDuration,
  attempts: String,
};

const isLimit = (key: string): key is keyof ReplyLimits => Object.hasOwn(LIMIT_FORMATS, key);

function judgeLimit(key: keyof ReplyLimits, limit: number, facts: SampleFacts): Judgement {
  const value = facts.spent[key];
  // A sum of costs may be above the limit by the inexactness of numbers alone.
  const isWithin = value === undefined || value <= limit * (1 + 1e-9);
  const usual = LIMIT_FORMATS[key];
  // Times that are rounded to the same would contradict the verdict.
  const format = isWithin || usual(value) !== usual(limit) ? usual : (exact: number) => t('{0} ms', exact);
  const expected = t('{0}: at most {1}', key, format(limit));
  if (value === undefined)
    return unjudged(whyUnknown(key, facts), { expected, actual: t('{0}: not reported', key) });
  const shown = { expected, actual: `${key}: ${format(value)}` };
  return isWithin
    ? passed(t('{0} is {1}; at most {2}.', key, format(value), format(limit)), shown)
    : failed(t('{0} is {1}; expected at most {2}.', key, format(value), format(limit)), shown);
}

function whyUnknown(key: keyof ReplyLimits, { hasRates }: SampleFacts): string {
  if (key === 'costUsd' && !hasRates) return t('The connection has no rates, so {0} has no verdict.', key);
  if (TOKENS.has(key) || key === 'costUsd')
    return t('The server reported no tokens, so {0} has no verdict.', key);
  return t('It was not measured, so {0} has no verdict.', key);
}
