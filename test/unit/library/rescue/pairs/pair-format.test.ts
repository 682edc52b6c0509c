import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import type { ToolType } from '../../../../../src/types';
import { runs } from '../../../../support/arbitrary/properties';
import { createRandom } from '../../../../support/arbitrary/random';
import { write } from '../law-support';
import { toPlain } from '../rescue-fixtures';

const FORMATS =
  `qwen-xml seed-oss minicpm5 bfcl-xml glm-xml iquest hunyuan-v3 hunyuan-v4 longcat ifm-xml solar kimi-k3
  step3 deepseek-dsml anthropic-invoke minimax-m2 minimax-m3 atem dots langchain-xml use-mcp-tool tool-tag-xml`.split(
    /\s+/,
  );
const plain = (calls: readonly { name: string; arguments: unknown }[]): string[] =>
  calls.map((call) => JSON.stringify(toPlain(call)));

const TAGS =
  `<tool_call> | </tool_call> | <function=save> | </function> | <parameter=text> | </parameter> | <arg_key>
  | </arg_key> | <arg_value> | </arg_value> | <invoke name="save"> | </invoke> | <param name="text"> | </think> | <think>
  | <parameter name="text"> | <text> | </text> | </save> | <save> | ]<]minimax[>[ | <|tool_arg:end|> | <|sep|> | </｜DSML｜parameter>
  | <｜DSML｜parameter name="text" string="true"> | <|close|>argument<|sep|> | <![CDATA[ | ]]>`.split(
    /\s+\| /,
  );
const SIGNS = '" \' { } ``` ` &amp; & < > \\ 😀 שלום a 1 null'.split(' ');
const PIECES = [...TAGS, ...SIGNS, '\n', '\n\n', ' '];

const SAVE: ToolType = {
  name: 'save',
  parameters: {
    type: 'object',
    properties: {
      text: { type: 'string' },
      count: { type: 'integer' },
      ratio: { type: 'number' },
      isNew: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      more: { type: 'object' },
      note: { type: 'string' },
    },
  },
};

function makeArguments(seed: number): Record<string, unknown> {
  const random = createRandom(seed);
  const text = (): string => Array.from({ length: random.below(8) }, () => random.pick(PIECES)).join('');
  // a value that is only its own key in angle brackets is treated as a placeholder
  const values: Record<string, unknown> = { text: text().replace(/^<text>$/, 'text') };
  if (random.chance(0.5)) values['count'] = random.below(1000) - 500;
  if (random.chance(0.3)) values['ratio'] = random.below(1000) / 8;
  if (random.chance(0.3)) values['isNew'] = random.chance(0.5);
  if (random.chance(0.3)) values['tags'] = [text(), text()];
  if (random.chance(0.3)) values['more'] = { deep: [text(), 1, null], text: text() };
  if (random.chance(0.5)) values['note'] = text();
  return values;
}

describe('createPairFormat, writing', () => {
  const COUNT = runs(500);

  it.each(FORMATS)('writes what it reads back, or nothing: %s', (format) => {
    let written = 0;
    const bad: string[] = [];
    for (let seed = 0; seed < COUNT; seed += 1) {
      const calls = [makeArguments(seed), makeArguments(seed + 10_000)].map((value) => ({
        name: 'save',
        arguments: value,
      }));
      const text = write(calls, format);
      if (text === undefined) continue;
      written += 1;
      const found = rescueToolCalls(text, [SAVE]);
      if (JSON.stringify(plain(found.calls)) !== JSON.stringify(plain(calls))) bad.push(text);
    }
    expect(bad).toEqual([]);
    expect(written).toBeGreaterThan(COUNT / 4);
  });
});

describe('createPairFormat, on a value without its closing tag', () => {
  it('ends it with its call, also when the token limit cut the reply later', () => {
    const text =
      '<function name="save"><param name="a">1</function>\n<function name="other">2</param></function>\nText';
    for (const options of [{}, { finishReason: 'length' }]) {
      const { calls } = rescueToolCalls(text, [{ name: 'save', parameters: {} }], options);
      expect(plain(calls)).toEqual(plain([{ name: 'save', arguments: { a: '1' } }]));
    }
  });
});
