// Calls of Claude, `<invoke name="…">` with `<parameter name="…">`, and of MiniMax M2 and M3, ATEM, dots and Step-3, which
// use the same elements. Declares the dialects; `pairs` parses them.
import { skipWordBefore } from '../candidates/look-back';
import { createElementPattern } from '../candidates/start-patterns';
import { skipWhite } from '../text/white-space';
import { createAngleSpelling } from '../pairs/tags/angle-spelling';
import { createPairFormat, readEmission, readOrphan } from '../pairs/pair-format';
import type { PairDialect } from '../pairs/pair-format';
import { wrapperOf } from '../pairs/emission';
import type { Emission, Traits } from '../pairs/emission';
import { ELEMENTS, INVOKE_SPELLING, writeInvoke, writeWrapped } from './element-tags';
import type { PairSpelling } from '../pairs/tags/spelling';
import { NO_ATTRIBUTES } from '../pairs/tags/tag';
import type { Tag } from '../pairs/tags/tag';
import { toReasoningElements } from '../regions/reasoning-tags';
import { writeBlock, writePairs } from '../pairs/write-pairs';
import type { RescueContext, TextSource } from '../core/rescue-context';
import type { RescueFormat, WrittenCall } from '../core/rescue-format';
import { readSpecialToken } from '../text/special-tokens';
import { writeCallJson } from '../json/write-json';

/** Words that remain of the special token that opens the calls, when it is decoded as text. */
const STRAY_WORDS = ['call', 'count', 'course', 'court', 'invoke'];
const PARAMETER = '<parameter name=';
/** The namespace of the tags as Claude writes them. */
const NAMESPACE = 'antml:';

/** The id of the format, determined by namespace and wrapper. */
function nameDialect(traits: Traits): string {
  const spaces = [traits.wrapper, traits.closer, traits.call].map((tag) => tag?.space);
  if (spaces.includes('minimax')) return 'minimax-m2';
  if (spaces.includes('atem')) return 'atem';
  if (spaces.includes('steptml')) return 'step3';
  return wrapperOf(traits) === 'dots_function_call' ? 'dots' : 'anthropic-invoke';
}

/** Whether it is an `<invoke>`. A call without a tag counts if its wrapper is `<function_calls>`: the tag is broken. */
const isInvoke = ({ call, wrapper }: Traits): boolean =>
  call ? call.name.toLowerCase() === 'invoke' : wrapper?.name.toLowerCase() === 'function_calls';

const createInvokeFormat = (dialect: Omit<PairDialect, 'spelling'> & Partial<PairDialect>): RescueFormat =>
  createPairFormat({
    spelling: INVOKE_SPELLING,
    isOurs: (traits) => nameDialect(traits) === dialect.id,
    needsWrapper: true,
    label: 'attribute',
    ...dialect,
  });

export const anthropicInvoke: RescueFormat = createInvokeFormat({
  id: 'anthropic-invoke',
  title: 'Claude: <invoke name="…"> in <function_calls>',
  openers: ['<function_calls>', '<invoke', '<tool_calls>', '<tool_call>', PARAMETER],
  firstCharacters: '<',
  startPattern: createElementPattern(['invoke', 'function_calls>']),
  leads: STRAY_WORDS.map((word) => `^${word}`),
  isOurs: (traits) => isInvoke(traits) && nameDialect(traits) === 'anthropic-invoke',
  read(context, at, opener) {
    if (opener === PARAMETER) return readOrphan(context, at, INVOKE_SPELLING);
    if (opener === '' && !HEAD.test(context.text.slice(at, at + LONGEST_HEAD))) return null;
    const emission = readEmission(context, at, INVOKE_SPELLING);
    return emission && withStrayWord(context, at, emission);
  },
  write: (calls) => writeWrapped(calls, `${NAMESPACE}function_calls`, { space: NAMESPACE }),
});

const LONGEST_HEAD = 48;
/** The first tag, with any namespace or none. */
const HEAD = /^<(?:[a-z\d-]{0,23}:)?(?:invoke|function_calls>)/;

/** Extends an emission to a meaningless word on the line before it, which is left of a special token. */
function withStrayWord(context: RescueContext, at: number, emission: Emission): Emission {
  const { reading, traits } = emission;
  if (reading.kind !== 'calls') return emission;
  for (const word of STRAY_WORDS) {
    const start = skipWordBefore(context, at, word);
    if (start === -1 || (start > 0 && context.text.charAt(start - 1) !== '\n')) continue;
    const repair = { kind: 'stripped-special-tokens', at: start, note: `\`${word}\` is left of a token` };
    return { traits, reading: { ...reading, start, repairs: [repair, ...reading.repairs] } };
  }
  return emission;
}

export const minimaxM2: RescueFormat = createInvokeFormat({
  id: 'minimax-m2',
  title: 'MiniMax M2: <minimax:tool_call>',
  vllmParser: 'minimax_m2',
  sglangParser: 'minimax-m2',
  openers: ['<minimax:tool_call>', '<minimax:invoke', '<invoke'],
  endTokens: ['[e~['],
  reasoningTags: toReasoningElements('mm:think'),
  write: (calls) => writeWrapped(calls, 'minimax:tool_call'),
});

export const atem: RescueFormat = createInvokeFormat({
  id: 'atem',
  title: 'ATEM: <atem:invoke name="…">',
  openers: ['<atem:function_calls>', '<atem:invoke'],
  write: (calls) => writeWrapped(calls, 'atem:function_calls', { space: 'atem:' }),
});

const DOTS_SPELLING: PairSpelling = { ...INVOKE_SPELLING, hasJsonBodies: true };

export const dots: RescueFormat = createInvokeFormat({
  id: 'dots',
  title: 'dots: <dots_function_call> with JSON or <invoke>',
  sglangParser: 'dots',
  openers: ['<dots_function_call>', '<invoke'],
  spelling: DOTS_SPELLING,
  isOurs: (traits) => traits.hasJson === true || nameDialect(traits) === 'dots',
  write: (calls) =>
    calls.map((call) => `<dots_function_call>\n${writeCallJson(call)}\n</dots_function_call>`).join('\n'),
});

const STEP_TOKEN = /^(?:(tool_calls?)_(?:begin|(end))|tool_sep)$/;
/** Half of one may also be half of an opener; after a call, the closer is more likely. */
const STEP_CLOSERS = ['<｜tool_call_end｜>', '<｜tool_calls_end｜>'];
const STEP_WORD = 'function';

const STEP_SPELLING: PairSpelling = {
  ...INVOKE_SPELLING,
  slash: undefined,
  readTag: (source, at) => readStepToken(source, at) ?? INVOKE_SPELLING.readTag(source, at),
  isCloserCut: (rest) =>
    INVOKE_SPELLING.isCloserCut(rest) ||
    (rest.length > 1 && STEP_CLOSERS.some((closer) => closer.startsWith(rest))),
};

function readStepToken({ text }: TextSource, at: number): Tag | null {
  const token = readSpecialToken(text, at);
  const found = STEP_TOKEN.exec(token?.name ?? '');
  if (!token || !found) return null;
  const [, wrapper, end] = found;
  const word = skipWhite(text, token.end);
  const next = text.startsWith(STEP_WORD, word) ? readSpecialToken(text, word + STEP_WORD.length) : null;
  return {
    start: at,
    // The word `function` and its separator only announce the element that follows.
    end: next?.name === 'tool_sep' ? next.end : token.end,
    isCloser: end !== undefined,
    isEmpty: false,
    space: '',
    name: wrapper ?? 'tool_call',
    role: wrapper === undefined ? 'separator' : 'wrapper',
    attributes: NO_ATTRIBUTES,
  };
}

export const step3: RescueFormat = createInvokeFormat({
  id: 'step3',
  title: 'Step-3: <steptml:invoke name="…">',
  vllmParser: 'step3',
  sglangParser: 'step3',
  openers: [
    '<｜tool_calls_begin｜>',
    '<｜tool_call_begin｜>',
    '<|tool_calls_begin|>',
    '<|tool_call_begin|>',
    '<｜tool▁calls▁begin｜>',
    '<｜tool▁call▁begin｜>',
    '<steptml:invoke',
  ],
  spelling: STEP_SPELLING,
  isOurs: isInvoke,
  write: (calls) => `<｜tool_calls_begin｜>${calls.map(writeStep).join('')}<｜tool_calls_end｜>`,
});

const writeStep = (call: WrittenCall): string =>
  `<｜tool_call_begin｜>function<｜tool_sep｜>${writeInvoke(call, { space: 'steptml:', gap: '' })}<｜tool_call_end｜>`;

/** Before every tag of MiniMax M3, whose parameters are elements of their own name. */
const TOKEN = ']<]minimax[>[';

const TOKEN_SPELLING = createAngleSpelling(
  { ...ELEMENTS, prefix: TOKEN, hasAttributes: true },
  { marks: ['minimax['], breaks: 'both', hasOwnNames: true },
);

export const minimaxM3: RescueFormat = createInvokeFormat({
  id: 'minimax-m3',
  title: 'MiniMax M3: ]<]minimax[>[ before every tag',
  sglangParser: 'minimax-m3',
  openers: [TOKEN],
  spelling: TOKEN_SPELLING,
  isOurs: ({ call }) => call !== undefined,
  write: (calls) => `${TOKEN}<tool_call>\n${calls.map(writeTokenInvoke).join('')}${TOKEN}</tool_call>`,
});

const writeTokenInvoke = (call: WrittenCall): string =>
  `${TOKEN}<invoke name="${call.name}">${writePairs(call, writeElement)}${TOKEN}</invoke>\n`;

const writeElement = (key: string, value: unknown): string =>
  `${TOKEN}<${key}>${writeBlock(value)}${TOKEN}</${key}>`;
