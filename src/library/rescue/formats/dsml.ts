// Calls in DSML, `<｜DSML｜invoke name="…">`: of DeepSeek V3.2 and V4, and with the mark GCML of GigaChat 3.5, which also
// writes JSON. Reads the tags, also with the bars and marks that models garble; `pairs` parses the rest.
import { isBar } from '../text/special-tokens';
import type { TextSource } from '../core/rescue-context';
import type { RescueFormat, WrittenCall } from '../core/rescue-format';
import { createPairFormat } from '../pairs/pair-format';
import type { PairSpelling } from '../pairs/spelling';
import { readTagRest } from '../pairs/tag';
import { TagCache } from '../pairs/tag-cache';
import { findTagNameEnd } from '../text/names';
import type { Tag, TagRole } from '../pairs/tag';
import { writeBlock, writePairs } from '../pairs/write-pairs';
import { gigachatJson } from './json-tokens';

const ROLES: Readonly<Record<string, TagRole>> = {
  function_calls: 'wrapper',
  tool_calls: 'wrapper',
  calls: 'wrapper',
  invoke: 'call',
  parameter: 'parameter',
};

/** The marks in the tags; models of different makers have different names for the same markup. */
const MARKS = ['DSML', 'GCML'];
const LONGEST_RUN = 8;

const SPELLING: PairSpelling = {
  lead: '<',
  slash: '/',
  readTag: readDsmlTag,
  isCloserCut: (rest) => /^<[|｜‖ ]{0,8}\//.test(rest),
  breaks: 'both',
};

const CACHE = new TagCache();

function readDsmlTag(source: TextSource, at: number): Tag | null {
  const known = source.text.charCodeAt(at) === 60 ? CACHE.find(source.text, at) : undefined;
  const tag = known ?? readNewTag(source, at);
  if (tag && !known) CACHE.add(source.text, tag);
  return tag;
}

function readNewTag(source: TextSource, at: number): Tag | null {
  const { text } = source;
  if (text.charCodeAt(at) !== 60) return null;
  const markAt = skipRun(text, at + 1);
  const mark = MARKS.find((item) => text.slice(markAt, markAt + item.length).toUpperCase() === item);
  if (mark === undefined) return null;
  const nameAt = skipRun(text, markAt + mark.length);
  const nameEnd = findWordEnd(text, nameAt);
  const name = text.slice(nameAt, nameEnd);
  const role = Object.hasOwn(ROLES, name.toLowerCase()) ? ROLES[name.toLowerCase()] : undefined;
  const written = text.slice(at, nameAt);
  const bar = trailingBar(text, nameEnd);
  const rest =
    role === undefined
      ? null
      : (readTagRest(source, nameEnd, '>') ?? readTagRest(source, nameEnd, `${bar}>`));
  if (!rest) return null;
  const isCloser = written.includes('/');
  // Some models write a space after the mark.
  const isExact =
    written.trimEnd() === `<${isCloser ? '/' : ''}｜${mark}｜` && !isBar(text.charAt(rest.end - 2));
  const damage = rest.damage ?? (isExact ? undefined : 'token-variant');
  return { start: at, isCloser, space: mark.toLowerCase(), name, role, ...rest, damage };
}

/** The offset after the bars, slashes and spaces at `from`. */
function skipRun(text: string, from: number): number {
  let at = from;
  while (at - from < LONGEST_RUN && (isBar(text.charAt(at)) || '/ \\▁'.includes(text.charAt(at) || '\n')))
    at += 1;
  return at;
}

function findWordEnd(text: string, from: number): number {
  const limit = findTagNameEnd(text, from);
  let end = from;
  while (end < limit && !isBar(text.charAt(end))) end += 1;
  return end;
}

/** The bars before the tag's `>`; '' when there are none. */
function trailingBar(text: string, from: number): string {
  const limit = Math.min(text.length, from + LONGEST_TAG);
  let at = from;
  while (at < limit && text.charCodeAt(at) !== 62) at += 1;
  let start = at;
  while (start > from && isBar(text.charAt(start - 1))) start -= 1;
  return text.slice(start, at);
}

const LONGEST_TAG = 200;

const BARS = ['｜', '|', '‖', ''];

/** The beginnings of a tag, up to and including the mark. The bar before it may be doubled or missing. */
const toOpeners = (mark: string): string[] => [
  ...new Set(BARS.flatMap((bar) => [`<${bar}${mark}`, `<${bar}${bar}${mark}`])),
];

const DIALECT = { spelling: SPELLING, needsWrapper: true, label: 'attribute' } as const;

export const deepseekDsml: RescueFormat = createPairFormat({
  id: 'deepseek-dsml',
  title: 'DeepSeek V3.2: <｜DSML｜invoke name="…">',
  nativeHint: 'If the server is vLLM, start it with `--tool-call-parser deepseek_v32` to get it natively.',
  openers: toOpeners('DSML'),
  ...DIALECT,
  write: writeCalls,
});

function writeCalls(calls: readonly WrittenCall[]): string {
  const tag = '｜DSML｜';
  const invokes = calls.map((call) =>
    [
      `<${tag}invoke name="${call.name}">\n`,
      writePairs(call, (key, value) => writeParameter(tag, key, value)),
      `</${tag}invoke>\n`,
    ].join(''),
  );
  return `<${tag}function_calls>\n${invokes.join('')}</${tag}function_calls>`;
}

const writeParameter = (tag: string, key: string, value: unknown): string =>
  `<${tag}parameter name="${key}" string="${typeof value === 'string'}">${writeBlock(value)}</${tag}parameter>\n`;

const gigachatTags = createPairFormat({
  id: gigachatJson.id,
  title: gigachatJson.title,
  openers: toOpeners('GCML'),
  ...DIALECT,
  write: (calls) => gigachatJson.write(calls),
});

export const gigachat: RescueFormat = {
  ...gigachatJson,
  title: 'GigaChat 3: JSON as a message of its own, or <｜GCML｜invoke name="…">',
  openers: [...gigachatJson.openers, ...gigachatTags.openers],
  parse: (context, at, opener) =>
    (gigachatTags.openers.includes(opener) ? gigachatTags : gigachatJson).parse(context, at, opener),
};
