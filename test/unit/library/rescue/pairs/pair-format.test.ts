import { describe, expect, it } from 'vitest';
import { formatToolCalls } from '../../../../../src/library/rescue/format-tool-calls';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import type { RescuedCall, ToolType } from '../../../../../src/types';
import { runs, someOf } from '../../../../support/properties';
import { createRandom } from '../../../../support/random';
import { CORPUS, OWN_CORPUS, toolsOf, toPlain } from '../rescue-fixtures';
import type { CorpusCase } from '../rescue-fixtures';

const FORMATS =
  `qwen-xml seed-oss minicpm5 bfcl-xml glm-xml iquest hunyuan-v3 hunyuan-v4 longcat ifm-xml solar kimi-k3
  step3 deepseek-dsml anthropic-invoke minimax-m2 minimax-m3 atem dots langchain-xml use-mcp-tool tool-tag-xml`.split(
    /\s+/,
  );
const ALL = [...CORPUS, ...OWN_CORPUS].filter(({ format }) => FORMATS.includes(format));
const POSITIVE = ALL.filter(({ expected }) => expected.length > 0);

const plain = (calls: readonly { name: string; arguments: unknown }[]): string[] =>
  calls.map((call) => JSON.stringify(toPlain(call)));

const callsOf = (item: CorpusCase, text: string, finishReason?: string): RescuedCall[] =>
  rescueToolCalls(text, toolsOf(item.tools), finishReason === undefined ? {} : { finishReason }).calls;

/** The same call with fewer parameters: a call of pairs may end after any complete pair. */
function isShorter(found: object | undefined, wanted: object | undefined): boolean {
  const [one, other] = [found, wanted] as ({ name: string; arguments: object } | undefined)[];
  if (one?.name !== other?.name) return false;
  const all: Record<string, unknown> = { ...other?.arguments };
  return Object.entries(one?.arguments ?? {}).every(
    ([key, value]) => JSON.stringify(all[key]) === JSON.stringify(value),
  );
}

describe('createPairFormat, on replies cut at many lengths', () => {
  /**
   * Cases that cannot be decided: a cut after a closing tag that is data, or a complete call in reasoning that never closes.
   */
  const UNDECIDABLE = new Set(['own-deepseek-dsml-002', 'ifm-002']);
  /** Every third length, starting at a different one for each case. */
  const lengths = ({ id, text }: CorpusCase): readonly number[] =>
    someOf(
      Array.from({ length: text.length }, (_, length) => length).filter(
        (length) => (length + id.length) % 3 === 0,
      ),
      id.length,
    );

  it('finds only calls of the whole reply when the token limit cut it', () => {
    const bad = POSITIVE.flatMap((item) => {
      const wanted = plain(item.expected);
      const cuts = lengths(item).filter((length) =>
        plain(callsOf(item, item.text.slice(0, length), 'length')).some(
          (call, index) => call !== wanted[index],
        ),
      );
      return cuts.length > 0 ? [{ id: item.id, cuts }] : [];
    });
    expect(bad).toEqual([]);
  });

  it('finds only calls of the whole reply at any other cut, the last one perhaps with only its first pairs', () => {
    const bad = POSITIVE.filter(({ id }) => !UNDECIDABLE.has(id)).flatMap((item) => {
      const cuts = lengths(item).filter((length) =>
        callsOf(item, item.text.slice(0, length)).some((call, index, calls) =>
          index === calls.length - 1
            ? !isShorter(call, item.expected[index])
            : plain([call])[0] !== plain(item.expected)[index],
        ),
      );
      return cuts.length > 0 ? [{ id: item.id, cuts }] : [];
    });
    expect(bad).toEqual([]);
  });
});

describe('createPairFormat, by the place of the call', () => {
  const calling = (wrap: (text: string) => string, items: readonly CorpusCase[]): string[] =>
    items.filter((item) => callsOf(item, wrap(item.text)).length > 0).map(({ id }) => id);
  const plainCases = POSITIVE.filter(({ text }) => !/think|`/.test(text));

  it('finds no call in closed reasoning', () => {
    expect(calling((text) => `<think>${text}</think>\nDone.`, plainCases)).toEqual([]);
  });

  it('finds no call in code or in a quote', () => {
    expect(calling((text) => `> ${text.replaceAll('\n', '\n> ')}\n\nThat was quoted.`, plainCases)).toEqual(
      [],
    );
    expect(calling((text) => `Write \`${text.replaceAll('\n', ' ')}\` there.`, plainCases)).toEqual([]);
    expect(calling((text) => `Look:\n\n\`\`\`xml\n${text}\n\`\`\`\n\nLike that.`, plainCases)).toEqual([]);
  });

  it('finds the same calls after prose', () => {
    const bad = POSITIVE.filter(({ text }) => !text.includes('think')).filter((item) => {
      const calls = callsOf(item, `Let me see what is there.\n\n${item.text}`);
      return JSON.stringify(plain(calls)) !== JSON.stringify(plain(item.expected));
    });
    expect(bad.map(({ id }) => id)).toEqual([]);
  });

  it('finds only the outer call when another reply stands in one of its values', () => {
    const echo: ToolType = {
      name: 'echo',
      parameters: { type: 'object', properties: { text: { type: 'string' }, last: { type: 'string' } } },
    };
    const bad = FORMATS.flatMap((format, index) =>
      someOf(POSITIVE, index).flatMap((item) => {
        const outer = { name: 'echo', arguments: { text: `Like this:\n${item.text}\nYes.`, last: 'x' } };
        const text = write(outer, format);
        if (text === undefined) return [];
        const { calls } = rescueToolCalls(text, [...toolsOf(item.tools), echo]);
        return JSON.stringify(plain(calls)) === JSON.stringify(plain([outer]))
          ? []
          : [`${format}: ${item.id}`];
      }),
    );
    expect(bad).toEqual([]);
  });

  it('finds no call when the tools have other names, or when there are none', () => {
    const renamed = POSITIVE.filter((item) => {
      const others = toolsOf(item.tools).map((tool) => ({ ...tool, name: `zz_${tool.name}` }));
      return (
        rescueToolCalls(item.text, others).calls.length > 0 || rescueToolCalls(item.text, []).calls.length > 0
      );
    });
    expect(renamed.map(({ id }) => id)).toEqual([]);
  });
});

function write(call: { name: string; arguments: object }, format: string): string | undefined {
  try {
    return formatToolCalls([call], format);
  } catch {
    return undefined;
  }
}

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
      const text = writeAll(calls, format);
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
  it('ends the value with its call, also when the token limit cut the reply later', () => {
    const text =
      '<function name="save"><param name="a">1</function>\n<function name="other">2</param></function>\nText';
    for (const options of [{}, { finishReason: 'length' }]) {
      const { calls } = rescueToolCalls(text, [{ name: 'save', parameters: {} }], options);
      expect(plain(calls)).toEqual(plain([{ name: 'save', arguments: { a: '1' } }]));
    }
  });
});

function writeAll(calls: { name: string; arguments: object }[], format: string): string | undefined {
  try {
    return formatToolCalls(calls, format);
  } catch {
    return undefined;
  }
}
