// Calls in DSML, `<｜DSML｜invoke name="…">`: of DeepSeek V3.2 and V4, and with the mark GCML of GigaChat 3.5, which also
// writes JSON. Reads the tags, also with the bars and marks that models garble; `pairs` parses the rest.
import { skipBlanksBefore } from '../candidates/look-back';
import type { RescueContext, TextSource } from '../core/rescue-context';
import type { FormatReading, RescueFormat } from '../core/rescue-format';
import { readHeadedCall } from '../json-calls/headed-call';
import { addRepair } from '../pairs/emission';
import type { Emission } from '../pairs/emission';
import { createPairFormat, readEmission, readHeadless, readOrphan } from '../pairs/pair-format';
import type { PairSpelling } from '../pairs/tags/spelling';
import { readTagRest } from '../pairs/tags/tag';
import type { TagRest, TagRole } from '../pairs/tags/tag';
import { createTagReader } from '../pairs/tags/tag-reader';
import type { TagHead } from '../pairs/tags/tag-reader';
import { skipWhite } from '../text/white-space';
import { ALIAS_SPELLING, writeWrapped } from './element-tags';
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
const SIGNS = '[|｜‖/ \\▁]{0,8}';
const MARKED = `<${SIGNS}(?:${MARKS.join('|')})${SIGNS}`;
/** A tag up to its name, with any bars, slashes and blanks around the mark. */
const HEAD = new RegExp(`<(${SIGNS})(${MARKS.join('|')}|)(${SIGNS})([\\w:.▁-]{1,80})`, 'iy');
/** A name that is misspelt, or another word for it. */
const PARAMETER_WORD = /^(?:par|arg)/;
/** Names of what is no call. With the mark before it, any other name that is not known is that of a wrapper. */
const RESULT_WORD = /result|output|response|observation/;

const SPELLING: PairSpelling = {
  lead: '<',
  slash: '/',
  readTag: createTagReader({ lead: '<', roles: ROLES, readHead, readOtherRest }),
  isCloserCut: (rest) => /^<[|｜‖ ]{0,8}\//.test(rest),
  breaks: 'both',
  hasJsonBodies: true,
};

/** For calls whose opening tags lost the mark, while the closing ones have it. */
const HALF_MARKED: PairSpelling = {
  ...SPELLING,
  readTag: (source, at) => SPELLING.readTag(source, at) ?? ALIAS_SPELLING.readTag(source, at),
  toCloser: ({ name }) => `</｜DSML｜${name}>`,
};

function readHead(text: string, at: number): TagHead | null {
  HEAD.lastIndex = at;
  const [whole, before = '', mark = '', after = '', written = ''] = HEAD.exec(text) ?? [];
  const name = whole === undefined ? undefined : toRoleName(written, text.charAt(at + whole.length));
  if (whole === undefined || name === undefined) return null;
  // Without the mark, the bars alone show what a tag of a known name is.
  if (mark === '' && !(/[|｜‖]/.test(before) && Object.hasOwn(ROLES, written.toLowerCase()))) return null;
  const isCloser = `${before}${after}`.includes('/');
  // Some models write a space after the mark.
  const isExact =
    before === (isCloser ? '/｜' : '｜') &&
    after.trimEnd() === '｜' &&
    MARKS.includes(mark) &&
    name === written.toLowerCase();
  const damage = isExact ? undefined : 'token-variant';
  return { isCloser, space: mark.toLowerCase(), name, nameEnd: at + whole.length, damage };
}

/** The name in `ROLES` that is meant. @param next what follows: with an attribute, a tag opens one call and not all of them */
function toRoleName(written: string, next: string): string | undefined {
  const name = written.toLowerCase();
  if (Object.hasOwn(ROLES, name) && !(ROLES[name] === 'wrapper' && next === ' ')) return name;
  if (PARAMETER_WORD.test(name)) return 'parameter';
  if (RESULT_WORD.test(name)) return undefined;
  return next === ' ' ? 'invoke' : 'tool_calls';
}

/** Reads the rest of a tag with bars before its `>`. */
function readOtherRest(source: TextSource, { nameEnd }: TagHead): TagRest | null {
  const { text } = source;
  const [, bars] = BARS_AT_END.exec(text.slice(nameEnd, nameEnd + LONGEST_TAG)) ?? [];
  const rest = bars === undefined ? null : readTagRest(source, nameEnd, bars);
  return rest && { ...rest, damage: rest.damage ?? 'token-variant' };
}

const LONGEST_TAG = 200;
/** The first `>`, with the bars before it. */
const BARS_AT_END = /^[^>]*?([|｜‖]+>)/;

const BARS = ['｜', '|', '‖', ''];

/** The beginnings of a tag, up to and including the mark. The bar before it may be doubled or missing. */
const toOpeners = (mark: string): string[] => [
  ...new Set(BARS.flatMap((bar) => [`<${bar}${mark}`, `<${bar}${bar}${mark}`])),
];

const DIALECT = { spelling: SPELLING, needsWrapper: true, label: 'attribute' } as const;

/** Calls of which the opening is damaged or replaced by that of another format; undefined where it is as usual. */
function readDamaged(context: RescueContext, at: number): Emission | FormatReading | null | undefined {
  const named = readNamedJson(context, at);
  if (named) return named;
  if (readEmission(context, at, SPELLING)) return undefined;
  const emission = readMisnamed(context, at) ?? readHeadBefore(context, at);
  if (emission) return addRepair(emission, { kind: 'broken-tag', at: emission.reading.start });
  return SPELLING.readTag(context, at)?.role === 'parameter' ? readOrphan(context, at, SPELLING) : null;
}

const TAGS = `(?:${MARKED}[\\w▁-]{1,40}[|｜‖]?>\\s{0,8})`;
const NAME = '([\\w./:-]{1,128}?)';
/** A name after the tag, or in a tag that a fence follows; then the arguments in JSON. */
const NAMED_JSON = new RegExp(
  `${TAGS}{0,2}(?:(?<=>\\s{0,8})${NAME}\\s{0,8}(?=[{\`~])|${MARKED}[\\w▁-]{1,40} name="${NAME}"[^<>]{0,64}>\\s{0,8}(?=[\`~]))`,
  'iy',
);

/** Reads `<｜DSML｜toolcall>NAME` and the arguments in JSON, in a fence or not. */
function readNamedJson(context: RescueContext, start: number): FormatReading | null {
  NAMED_JSON.lastIndex = start;
  const [written, plain, labelled] = NAMED_JSON.exec(context.text) ?? [];
  const name = plain ?? labelled;
  if (written === undefined || name === undefined) return null;
  const bodyAt = start + written.length;
  const repairs = [{ kind: 'foreign-body', at: bodyAt, note: 'arguments in JSON after the name' }];
  return readHeadedCall(context, { name, start, bodyAt, repairs, isFenced: true }, (end) => ({
    end: skipClosers(context, end),
    repairs: [],
    isOpen: false,
  }));
}

function skipClosers(context: RescueContext, from: number): number {
  let end = from;
  let tag = SPELLING.readTag(context, skipWhite(context.text, end));
  for (; tag?.isCloser; tag = SPELLING.readTag(context, skipWhite(context.text, end))) end = tag.end;
  return end;
}

/** What may be left of `<｜DSML｜invoke name="NAME">`, or be written in its place, such as the tag of a parameter. */
const LOST_HEAD = `<?${SIGNS}(?:DSML|GCML)?${SIGNS}(?:[a-z_]{1,20}[ =])?(?:name ?= ?)?["']?${NAME}["']?(?: string="\\w{1,8}")?\\s?>?`;
const MISNAMED = new RegExp(`${TAGS}{0,2}${LOST_HEAD}\\s{0,8}(?=${MARKED}parameter )`, 'iy');
const HEAD_BEFORE = new RegExp(`(?:^|[\\n>])(${LOST_HEAD})$`, 'i');
/** Beginnings that a stream holds back: a bracket, and the words before an opener that formats declare as `leads`. */
const HELD_HEAD = /^(?:<|｜?DSML｜|invoke name=)/;
const LONGEST_HEAD = 224;

/** Reads calls whose own tag is damaged: a parameter's tag has the name, or only the name is left in the wrapper. */
function readMisnamed(context: RescueContext, start: number): Emission | null {
  MISNAMED.lastIndex = start;
  const [written, name] = MISNAMED.exec(context.text) ?? [];
  if (written === undefined || name === undefined || !context.isTool(name)) return null;
  return readHeadless(context, SPELLING, { start, end: start + written.length, name });
}

/** The same before a first parameter, where nothing is left by which the tag could be found. */
function readHeadBefore(context: RescueContext, at: number): Emission | null {
  const { text, consumedTo } = context;
  if (SPELLING.readTag(context, at)?.role !== 'parameter') return null;
  const end = skipBlanksBefore(context, at);
  const before = text.slice(Math.max(consumedTo, end - LONGEST_HEAD), end);
  const [, written, name] = HEAD_BEFORE.exec(before) ?? [];
  if (written === undefined || name === undefined || !context.isTool(name)) return null;
  // Of other words, a stream cannot know that they belong to a call, and has shown them before the name comes.
  const known = HELD_HEAD.test(written) ? written : written.slice(written.lastIndexOf(name));
  return readHeadless(context, SPELLING, { start: end - known.length, end, name });
}

/** Openers without the mark; the calls count as these only if the mark is in a closing tag in them. */
const PLAIN_OPENERS = ['<invoke', '<function'];

function readHalfMarked(context: RescueContext, at: number): FormatReading | null {
  if (context.find(HALF_CLOSER, at) === -1) return null;
  const reading = readEmission(context, at, HALF_MARKED)?.reading;
  if (reading?.kind !== 'calls' || reading.failure) return null;
  if (!context.text.slice(at, reading.end).includes(HALF_CLOSER)) return null;
  return { ...reading, repairs: [...reading.repairs, { kind: 'broken-tag', at }] };
}

const HALF_CLOSER = '｜DSML｜parameter>';

const TAG = '｜DSML｜';

export const deepseekDsml: RescueFormat = createPairFormat({
  id: 'deepseek-dsml',
  title: 'DeepSeek V3.2: <｜DSML｜invoke name="…">',
  vllmParser: 'deepseek_v32',
  sglangParser: 'deepseekv32',
  openers: [...toOpeners('DSML'), '<｜invoke', '<|invoke', ...PLAIN_OPENERS],
  leads: [TAG, TAG.slice(1)],
  ...DIALECT,
  read: (context, at, opener) =>
    PLAIN_OPENERS.includes(opener) ? readHalfMarked(context, at) : readDamaged(context, at),
  write: (calls) =>
    writeWrapped(calls, `${TAG}function_calls`, {
      space: TAG,
      toAttributes: (value) => ` string="${typeof value === 'string'}"`,
    }),
});

export const gigachat: RescueFormat = createPairFormat({
  ...gigachatJson,
  title: 'GigaChat 3: JSON as a message of its own, or <｜GCML｜invoke name="…">',
  openers: [...gigachatJson.openers, ...toOpeners('GCML')],
  ...DIALECT,
  read: (context, at, opener) =>
    gigachatJson.openers.includes(opener)
      ? gigachatJson.parse(context, at, opener)
      : readDamaged(context, at),
});
