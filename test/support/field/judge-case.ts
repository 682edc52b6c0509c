// Judges a case: plays it in every way in which it can come, and says what is wrong.
import { isDeepStrictEqual } from 'node:util';
import type { WireCase } from './field-case';
import type {
  EmbeddingCase,
  FieldCase,
  HistoryCase,
  PlainCall,
  Pointed,
  TextCase,
  Wanted,
} from './field-case';
import type { Outcome } from './ask-provider';
import { askChat, askEmbeddings, askInTurn, readText } from './ask-provider';
import type { Shown } from './ask-session';
import { askSession, embedInSession } from './ask-session';
import type { CutReply } from './play-replies';
import { cutAtRandom } from './play-replies';
import { adviceOf, wordsOf } from './words-of';

const SEEDS = [1, 2, 3];

/** @returns what is wrong; nothing if the case is right */
export async function judgeCase(item: FieldCase): Promise<string[]> {
  const wanted = 'anyOf' in item.expected ? item.expected.anyOf : [item.expected];
  try {
    const { outcome, shown } = await play(item, needsSession(wanted));
    const problems = wanted.map((one) => [
      ...misses(one, outcome),
      ...shown.flatMap((each) => missesInWords(one, outcome, each, serverTexts(item))),
    ]);
    return problems.some((one) => one.length === 0) ? [] : problems.flat();
  } catch (error) {
    return [String(error)];
  }
}

const needsSession = (wanted: readonly Wanted[]): boolean =>
  wanted.some(({ says, finding, notFinding }) =>
    [says, finding, notFinding].some((one) => one !== undefined),
  );

/** @returns as `shown` all that people read about it, each of which must say what is wanted */
async function play(item: FieldCase, isShown: boolean): Promise<{ outcome: Outcome; shown: Shown[] }> {
  if ('text' in item)
    return { outcome: readText(item), shown: isShown ? [await askSession(toAnswer(item))] : [] };
  if ('replies' in item) return { outcome: await askCut(item, askInTurn), shown: [] };
  if (!('texts' in item))
    return { outcome: await askCut(item, askChat), shown: isShown ? [await askSession(item)] : [] };
  const outcome = await askCut(item, askEmbeddings);
  const { error: code = '', explanation } = outcome;
  // Nothing but the error itself explains an embedding to those who use the library.
  const thrown = explanation ? [{ findings: [], error: { code, title: '', ...explanation } }] : [];
  return { outcome, shown: isShown ? [await embedInSession(item), ...thrown] : [] };
}

/** The same outcome however the answer is cut. */
async function askCut<Case extends WireCase | EmbeddingCase | HistoryCase>(
  item: Case,
  ask: (item: Case, cut?: CutReply) => Promise<Outcome>,
): Promise<Outcome> {
  const outcome = await ask(item);
  for (const seed of SEEDS) {
    const other = await ask(item, cutAtRandom(seed));
    if (!isDeepStrictEqual(comparable(other), comparable(outcome)))
      throw new Error(`It is read otherwise when it is cut at other places (seed ${seed}).`);
  }
  return outcome;
}

/** Without addresses, times and generated ids. */
const comparable = ({
  words: _words,
  explanation: _explanation,
  bodies: _bodies,
  ...rest
}: Outcome): object => rest;

const toAnswer = ({ text, ...described }: TextCase): WireCase => ({
  ...described,
  endpoint: 'hosted-api',
  status: 200,
  headers: { 'content-type': 'application/json' },
  chunks: [
    JSON.stringify({
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    }),
  ],
});

/** What is wrong about the outcome. */
function misses(wanted: Wanted, outcome: Outcome): string[] {
  const problems: string[] = [];
  const check = (name: keyof Wanted, isRight: boolean, found: unknown): void => {
    if (wanted[name] !== undefined && !isRight)
      problems.push(
        `${name}: ${JSON.stringify(wanted[name])} was expected, and it is ${JSON.stringify(found)}`,
      );
  };
  const { calls, rejected, content, reasoning, finishReason, attempts, error, partial, vectors } = outcome;
  const [first, second] = outcome.bodies ?? [];
  check('calls', wanted.calls?.some((list) => isDeepStrictEqual(list, calls)) === true, calls);
  check('includes', wanted.includes?.every((call) => includes(calls, call)) === true, calls);
  const hasReason = wanted.rejected?.some((reason) => reason === '*' || rejected.includes(reason)) === true;
  check('rejected', calls.length === 0 && rejected.length > 0 && hasReason, { calls, rejected });
  check(
    'content',
    toList(wanted.content).some((text) => isSame(text, content)),
    content,
  );
  check('reasoning', isSame(wanted.reasoning, reasoning), reasoning);
  check('finishReason', wanted.finishReason === finishReason, finishReason);
  check('attempts', wanted.attempts === attempts, attempts);
  check('error', isExpected(wanted.error, error), error ?? 'none');
  check('partial', isSame(wanted.partial, partial), partial);
  check('vectors', isDeepStrictEqual(wanted.vectors, vectors), vectors);
  check('sentBack', wanted.sentBack?.every((place) => holds(second, place)) === true, second);
  check('sent', wanted.sent?.every((place) => holds(first, place)) === true, first);
  const isAbsent = (pointer: string): boolean =>
    (outcome.bodies ?? []).every((body) => valueAt(body, pointer) === undefined);
  check('notSent', wanted.notSent?.every(isAbsent) === true, outcome.bodies);
  return problems;
}

/** What is wrong about the words that a person reads. */
function missesInWords(
  { says, finding, notFinding }: Wanted,
  outcome: Outcome,
  shown: Shown,
  said: readonly string[],
): string[] {
  const words = [...outcome.words, ...wordsOf(shown)];
  const advice = adviceOf(shown, said);
  const titled = [...advice, shown.error?.title ?? ''];
  const miss = (name: string, pattern: string, texts: readonly string[]): string =>
    `${name}: /${pattern}/ in ${JSON.stringify(texts)}`;
  const isIn = (pattern: string, texts: readonly string[]): boolean =>
    texts.some((text) => new RegExp(pattern, 'i').test(text));
  return [
    ...toList(says).flatMap((one) => (isIn(one, words) ? [] : [miss('says', one, words)])),
    ...toList(finding).flatMap((one) => (isIn(one, advice) ? [] : [miss('finding', one, advice)])),
    ...toList(notFinding).flatMap((one) => (isIn(one, titled) ? [miss('notFinding', one, titled)] : [])),
  ];
}

const toList = (value: string | readonly string[] | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : (value ?? []);

const includes = (calls: readonly PlainCall[], wanted: PlainCall): boolean =>
  calls.some((call) => isDeepStrictEqual(call, wanted));

/** White space apart. */
const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one?.replace(/\s+/g, ' ').trim() === (other ?? '').replace(/\s+/g, ' ').trim();

function isExpected(wanted: Wanted['error'], code: string | undefined): boolean {
  if (typeof wanted === 'object') return code !== undefined && wanted.includes(code);
  return wanted === (code !== undefined);
}

const holds = (body: unknown, { pointer, value }: Pointed): boolean => {
  const found = valueAt(body, pointer);
  return value === undefined ? found !== undefined : isDeepStrictEqual(found, value);
};

const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((inner: unknown, key) => (Object(inner) as Record<string, unknown>)[key], value);

/** The bodies that the server sends. */
function serverTexts(item: FieldCase): string[] {
  if ('text' in item) return [item.text];
  return ('replies' in item ? item.replies : [item]).map(({ chunks }) => chunks.join(''));
}
