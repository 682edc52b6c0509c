// Calls of Qwen3-Coder, `<function=NAME><parameter=KEY>…`, and the similar ones of Seed-OSS, MiniCPM 5 and leaderboard
// prompts. Declares the dialects; `pairs` parses them.
import type { RescueFormat, WrittenCall } from '../core/rescue-format';
import { createPairFormat, readEmission, readHeadless, readOrphan } from '../pairs/pair-format';
import { readHeadTagBefore } from '../pairs/read-head';
import { addRepair, wrapperOf } from '../pairs/emission';
import type { Traits } from '../pairs/emission';
import { ALIAS_SPELLING, FUNCTION_SPELLING, INVOKE_SPELLING } from './element-tags';
import type { PairSpelling } from '../pairs/tags/spelling';
import type { FormatReading } from '../core/rescue-format';
import type { RescueContext } from '../core/rescue-context';
import { toReasoningElements } from '../regions/reasoning-tags';
import { encodeEntities } from '../pairs/tags/tag';
import { writeBlock, writePairs, writeText } from '../pairs/write-pairs';

const WORD = 'function=';
const PARAMETER = '<parameter=';

const spaceOf = ({ wrapper, closer }: Traits): string => (wrapper ?? closer)?.space ?? '';

const isFunction = ({ call }: Traits): boolean =>
  call === undefined || call.name.toLowerCase() === 'function';
const isMinicpm = (traits: Traits): boolean =>
  wrapperOf(traits) === '' &&
  traits.call?.attributes.has('name') === true &&
  !traits.hasGroup &&
  (traits.parameter === undefined || traits.parameter.name.toLowerCase() === 'param');
/** In another wrapper, or without a `name`, the element around the arguments is damage. */
const isBenchmark = (traits: Traits): boolean =>
  wrapperOf(traits) === 'functions' ||
  (traits.hasGroup === true &&
    wrapperOf(traits) !== 'tool_call' &&
    traits.call?.attributes.has('name') === true);

const writeQwen = (call: WrittenCall): string =>
  `<function=${call.name}>\n${writePairs(call, (key, value) => `<parameter=${key}>\n${writeText(value)}\n</parameter>\n`)}</function>`;

export const qwenXml: RescueFormat = createPairFormat({
  id: 'qwen-xml',
  title: 'Qwen3-Coder: <function=…> with <parameter=…>',
  vllmParser: 'qwen3_coder',
  sglangParser: 'qwen3_coder',
  openers: ['<tool_call>', '<function=', '<function ', '<function>', PARAMETER],
  leads: [WORD],
  spelling: FUNCTION_SPELLING,
  isOurs: (traits) =>
    isFunction(traits) && spaceOf(traits) !== 'seed' && !isMinicpm(traits) && !isBenchmark(traits),
  needsWrapper: true,
  label: 'shorthand',
  read(context, at, opener) {
    if (opener === TAG && ALIASED.test(context.text.slice(at, at + LONGEST_HEAD)))
      return readAliased(context, at);
    if (opener !== PARAMETER) return undefined;
    const head = readHeadTagBefore(context, at, WORD);
    return head ? readHeadless(context, FUNCTION_SPELLING, head) : readOrphan(context, at, FUNCTION_SPELLING);
  },
  write: (calls) => calls.map((call) => `<tool_call>\n${writeQwen(call)}\n</tool_call>`).join('\n'),
});

const TAG = '<tool_call>';
const LONGEST_HEAD = 64;
const ALIASED =
  /^<tool_call>\s{0,8}<(?:(?:call|tool|invoke)=|(?:call|tool)(?: name=|>\s{0,8}<(?:tool_)?name>)|name>)/;

/** Reads a call with another word instead of `function`. Only the tag around it shows that it is a call. */
function readAliased(context: RescueContext, at: number): FormatReading | null {
  const emission = readEmission(context, at, ALIAS_SPELLING);
  return emission && addRepair(emission, { kind: 'tag-alias', at }).reading;
}

export const seedOss: RescueFormat = createPairFormat({
  id: 'seed-oss',
  title: 'Seed-OSS: <seed:tool_call>',
  vllmParser: 'seed_oss',
  openers: ['<seed:tool_call>', '<function='],
  endTokens: ['<seed:eos>'],
  reasoningTags: toReasoningElements('seed:think'),
  spelling: INVOKE_SPELLING,
  isOurs: (traits) => spaceOf(traits) === 'seed',
  needsWrapper: true,
  label: 'shorthand',
  write: (calls) => calls.map((call) => `<seed:tool_call>\n${writeSeed(call)}\n</seed:tool_call>`).join('\n'),
});

const writeSeed = (call: WrittenCall): string =>
  `<function=${call.name}>${writePairs(call, (key, value) => `<parameter=${key}>${writeBlock(value)}</parameter>`)}</function>`;

const MINICPM_SPELLING: PairSpelling = { ...INVOKE_SPELLING, hasCdata: true };

export const minicpm5: RescueFormat = createPairFormat({
  id: 'minicpm5',
  title: 'MiniCPM 5: <function name="…"> with <param name="…">',
  sglangParser: 'minicpm5',
  openers: ['<function ', '<functionname=', '<functionĠname='],
  spelling: MINICPM_SPELLING,
  isOurs: (traits) => isFunction(traits) && isMinicpm(traits),
  label: 'attribute',
  write: (calls) => calls.map(writeMinicpm).join('\n'),
});

const writeMinicpm = (call: WrittenCall): string =>
  `<function name="${call.name}">${writePairs(call, (key, value) => `<param name="${key}">${writeCdata(value)}</param>`)}</function>`;

function writeCdata(value: unknown): string {
  const text = writeBlock(value);
  return text.includes('<') ? `<![CDATA[${writeText(value)}]]>` : text;
}

export const bfclXml: RescueFormat = createPairFormat({
  id: 'bfcl-xml',
  title: 'Leaderboard prompts: <functions> with <param …/>',
  openers: ['<functions>', '<function ', '<TOOLCALL>'],
  spelling: INVOKE_SPELLING,
  isOurs: (traits) => isFunction(traits) && isBenchmark(traits),
  needsWrapper: true,
  label: 'attribute',
  write: (calls) => `<functions>${calls.map(writeBenchmark).join('')}</functions>`,
});

const writeBenchmark = (call: WrittenCall): string =>
  `<function name="${call.name}"><params>${writePairs(call, writeParam)}</params></function>`;

const writeParam = (key: string, value: unknown): string =>
  `<param name="${key}" value="${encodeEntities(writeText(value))}" type="${typeOf(value)}"/>`;

function typeOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'float';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}
