// Calls of DeepSeek V3.2 and V4 in DSML, `<｜DSML｜invoke name="…">`. Declares the dialect; `pairs` parses it.
import { DSML_SPELLING } from './dsml-spelling';
import { createPairFormat } from '../pairs/pair-format';
import { writeBlock, writePairs } from '../pairs/write-pairs';
import type { RescueFormat, WrittenCall } from '../core/rescue-format';

const BARS = ['｜', '|', '‖', ''];

/** The beginnings of a tag, up to and including the mark. The bar before it may be doubled or missing. */
export const toDsmlOpeners = (mark: string): string[] => [
  ...new Set(BARS.flatMap((bar) => [`<${bar}${mark}`, `<${bar}${bar}${mark}`])),
];

export const deepseekDsml: RescueFormat = createPairFormat({
  id: 'deepseek-dsml',
  title: 'DeepSeek V3.2: <｜DSML｜invoke name="…">',
  nativeHint: 'If the server is vLLM, start it with `--tool-call-parser deepseek_v32` to get it natively.',
  openers: toDsmlOpeners('DSML'),
  spelling: DSML_SPELLING,
  needsWrapper: true,
  label: 'attribute',
  write: (calls) => writeDsml(calls),
});

function writeDsml(calls: readonly WrittenCall[]): string {
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
  `<${tag}parameter name="${key}" string="${typeof value === 'string'}">${writeBlock(value, 'both')}</${tag}parameter>\n`;
