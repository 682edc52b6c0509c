// Calls in DSML, `<｜DSML｜invoke name="…">`: of DeepSeek V3.2 and V4, and with the mark GCML of GigaChat 3.5, which also
// writes JSON. Reads the tags, also with the bars and marks that models garble; `pairs` parses the rest.
import type { TextSource } from '../core/rescue-context';
import type { RescueFormat } from '../core/rescue-format';
import { createPairFormat } from '../pairs/pair-format';
import type { PairSpelling } from '../pairs/spelling';
import { readTagRest } from '../pairs/tag';
import type { TagRest, TagRole } from '../pairs/tag';
import { createTagReader } from '../pairs/tag-reader';
import type { TagHead } from '../pairs/tag-reader';
import { writeWrapped } from './element-tags';
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
/** A tag up to its name, with any bars, slashes and blanks around the mark. */
const HEAD = /<([|｜‖/ \\▁]{0,8})(DSML|GCML)([|｜‖/ \\▁]{0,8})([\w:.-]{1,80})/iy;

const SPELLING: PairSpelling = {
  lead: '<',
  slash: '/',
  readTag: createTagReader({ lead: '<', roles: ROLES, readHead, readOtherRest }),
  isCloserCut: (rest) => /^<[|｜‖ ]{0,8}\//.test(rest),
  breaks: 'both',
};

function readHead(text: string, at: number): TagHead | null {
  HEAD.lastIndex = at;
  const [written, before = '', mark = '', after = '', name = ''] = HEAD.exec(text) ?? [];
  if (written === undefined || !Object.hasOwn(ROLES, name.toLowerCase())) return null;
  const isCloser = `${before}${after}`.includes('/');
  // Some models write a space after the mark.
  const isExact = before === (isCloser ? '/｜' : '｜') && after.trimEnd() === '｜' && MARKS.includes(mark);
  const damage = isExact ? undefined : 'token-variant';
  return { isCloser, space: mark.toLowerCase(), name, nameEnd: at + written.length, damage };
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

export const deepseekDsml: RescueFormat = createPairFormat({
  id: 'deepseek-dsml',
  title: 'DeepSeek V3.2: <｜DSML｜invoke name="…">',
  vllmParser: 'deepseek_v32',
  openers: toOpeners('DSML'),
  ...DIALECT,
  write: (calls) =>
    writeWrapped(calls, `${TAG}function_calls`, {
      space: TAG,
      toAttributes: (value) => ` string="${typeof value === 'string'}"`,
    }),
});

const TAG = '｜DSML｜';

export const gigachat: RescueFormat = createPairFormat({
  ...gigachatJson,
  title: 'GigaChat 3: JSON as a message of its own, or <｜GCML｜invoke name="…">',
  openers: [...gigachatJson.openers, ...toOpeners('GCML')],
  ...DIALECT,
  read: (context, at, opener) =>
    gigachatJson.openers.includes(opener) ? gigachatJson.parse(context, at, opener) : undefined,
});
