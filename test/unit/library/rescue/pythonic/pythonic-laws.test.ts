// Laws that hold for the pythonic formats, the Gemma formats and YAML, whatever the text contains.
import { describe, expect, it } from 'vitest';
import { formatToolCalls } from '../../../../../src/library/rescue/format-tool-calls';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { scanReply } from '../../../../../src/library/rescue/decide/scan-reply';
import { runs, someOf, textLength } from '../../../../support/properties';
import { createRandom } from '../../../../support/random';
import { CORPUS, OWN_CORPUS, toolsOf, toPlain } from '../rescue-fixtures';
import type { CorpusCase } from '../rescue-fixtures';

const FORMATS = [
  'pythonic-list',
  'pythonic-call',
  'lfm2',
  'olmo3',
  'nexus',
  'gorilla',
  'gemma-tool-code',
  'minicpm',
  'functiongemma',
  'gemma4',
  'llama-python-tag',
  'yaml',
];
const CASES = [...CORPUS, ...OWN_CORPUS].filter(({ format }) => FORMATS.includes(format));
const POSITIVE = CASES.filter(({ expected }) => expected.length > 0);

const plain = (calls: readonly { name: string; arguments: unknown }[]): string[] =>
  calls.map((call) => JSON.stringify(toPlain(call)));

const callsIn = (text: string, { tools }: CorpusCase, finishReason?: string): string[] =>
  plain(rescueToolCalls(text, toolsOf(tools), { finishReason }).calls);

const calling = (wrap: (text: string) => string, items: readonly CorpusCase[]): string[] =>
  items.filter((item) => callsIn(wrap(item.text), item).length > 0).map(({ id }) => id);

/** The lengths at which a cut reply yields calls that are not the first calls of the whole reply. */
function findFalseCuts(item: CorpusCase, finishReason?: string): string[] {
  const wanted = plain(item.expected);
  const lengths = Array.from({ length: item.text.length }, (_, length) => length);
  return someOf(lengths, item.id.length)
    .filter((length) =>
      callsIn(item.text.slice(0, length), item, finishReason).some((call, index) => call !== wanted[index]),
    )
    .map((length) => `${item.id} at ${length}`);
}

describe('the pythonic formats, cut at every length', () => {
  it.each(FORMATS)('find only calls of the whole reply, %s', (format) => {
    const items = POSITIVE.filter((item) => item.format === format);
    expect(items.flatMap((item) => findFalseCuts(item))).toEqual([]);
    expect(items.flatMap((item) => findFalseCuts(item, 'length'))).toEqual([]);
  });
});

describe('the pythonic formats, by the place of the call', () => {
  const unfenced = POSITIVE.filter(({ text }) => !text.includes('`'));
  const untagged = POSITIVE.filter(({ text }) => !/think>|thought|channel/.test(text));

  it('find no call in reasoning, in a quote or in code', () => {
    expect(calling((text) => `<think>${text}</think>\nDone.`, untagged)).toEqual([]);
    expect(calling((text) => `> ${text.replaceAll('\n', '\n> ')}\n\nThat was quoted.`, POSITIVE)).toEqual([]);
    expect(calling((text) => `Write \`${text.replaceAll('\n', ' ')}\` there.`, unfenced)).toEqual([]);
    expect(calling((text) => `Look:\n\n\`\`\`\`\n${text}\n\`\`\`\`\n\nLike that.`, POSITIVE)).toEqual([]);
    expect(calling((text) => `\`\`\`python\n${text}\n\`\`\``, unfenced)).toEqual([]);
  });

  it('find only the outer call when another reply stands in its text', () => {
    const echo = { name: 'echo', parameters: { type: 'object', properties: { text: { type: 'string' } } } };
    const bad = POSITIVE.flatMap((item) =>
      FORMATS.filter((format) => {
        const outer = { name: 'echo', arguments: { text: item.text } };
        const text = writeOrNothing(outer, format);
        if (text === undefined) return false;
        const { calls } = rescueToolCalls(text, [...toolsOf(item.tools), echo]);
        return JSON.stringify(plain(calls)) !== JSON.stringify(plain([outer]));
      }).map((format) => `${item.id} in ${format}`),
    );
    expect(bad).toEqual([]);
  });

  it('find no call when the tools have other names', () => {
    const renamed = POSITIVE.filter(({ text, tools }) => {
      const others = toolsOf(tools).map((tool) => ({ ...tool, name: `zz_${tool.name}` }));
      return rescueToolCalls(text, others).calls.length > 0;
    });
    expect(renamed.map(({ id }) => id)).toEqual([]);
  });
});

/** Returns undefined when the text contains delimiters of the format and so cannot be written in it. */
function writeOrNothing(call: { name: string; arguments: unknown }, format: string): string | undefined {
  try {
    return formatToolCalls([call], format);
  } catch {
    return undefined;
  }
}

const TEXTS = [
  'plain',
  '',
  ' blanks ',
  "it's",
  '"quoted"',
  "'''",
  'a\nb\n',
  '\\d+\\',
  '{x}',
  'f(a=")")',
  '# no comment',
  'null',
  '12',
  'é😀‮',
  'a: b',
  '- x',
  '```\ncode\n```',
  '</tool_call>',
  'True',
  '\u2028\t',
];

function writeValue(random: ReturnType<typeof createRandom>, depth: number): unknown {
  const kind = random.below(depth > 2 ? 4 : 6);
  if (kind === 0) return random.pick([0, -1.5, 1e21, 12345678901, 0.1]);
  if (kind === 1) return random.pick([true, false, null]);
  if (kind < 4) return random.pick(TEXTS);
  const items = Array.from({ length: random.below(3) }, () => writeValue(random, depth + 1));
  return kind === 4 ? items : Object.fromEntries(items.map((item, index) => [`key_${index}`, item]));
}

describe('formatToolCalls in the pythonic formats', () => {
  it.each(FORMATS)('writes in %s what is read back unchanged', (format) => {
    const tools = [{ name: 'any', parameters: { type: 'object', properties: {} } }];
    const bad = Array.from({ length: runs(500) }, (_, seed) => {
      const random = createRandom(seed);
      const members = Array.from({ length: random.below(4) }, (_unused, index) => [
        `k${index}`,
        writeValue(random, 0),
      ]);
      const call = { name: 'any', arguments: Object.fromEntries(members) as Record<string, unknown> };
      const text = writeOrNothing(call, format);
      const { calls } = rescueToolCalls(text ?? '', tools);
      const isSame = JSON.stringify(plain(calls)) === JSON.stringify(plain([call]));
      return text === undefined || isSame ? undefined : text;
    });
    expect(bad.filter((text) => text !== undefined)).toEqual([]);
  });
});

const SHAPES: Record<string, string> = {
  'open calls': 'get_weather(',
  'calls a line, open strings': 'get_weather(city="\n',
  'calls a line, open lists': 'get_weather(city=[\n',
  'calls a line, triple quotes': 'get_weather(city="""\n',
  'open lists of calls': '[get_weather(city="a",\n',
  'lists in lists': '[get_weather(city=[',
  'lists of calls in brackets': '[get_weather(city="a"), ',
  'tags with open calls': '<|tool_call_start|>[get_weather(city="a"',
  'tags with open strings': "<|tool_call_start|>[get_weather(city='",
  'Olmo tags': '<function_calls>get_weather(city="x"\n',
  'open Gemma calls': '<|tool_call>call:get_weather{city:<|"|>',
  'bare Gemma texts': '<|tool_call>call:get_weather{city:x ',
  'stripped Gemma calls': '\ncall:get_weather{city:x, ',
  'tool code': '```tool_code\nget_weather(city="\n',
  'tool code programs': '```tool_code\nx = 1\n',
  'python tags': '<|python_tag|>get_weather.call(city="',
  labels: 'Call: get_weather(city="x"); \n',
  colons: '::',
  parentheses: 'f((a)(',
  names: 'get_weather ',
  comments: '[get_weather(#\n',
  'open YAML fences': '```yaml\nname: get_weather\n',
  'YAML fences': '```yaml\nname: get_weather\narguments:\n  city: "\n```\n',
  'open YAML tags': '<tool_call>\nname: get_weather\n',
  'nested YAML': '```yaml\nname:\n - - - - -\n',
  'YAML quotes': '<tool_call>\nname: "\n',
  calls: '<|tool_call_start|>[get_weather(city="a")]<|tool_call_end|>\n',
  'Python calls a line': 'get_weather(city="a")\n',
};

describe('scanReply on the pythonic formats', () => {
  const tools = [...toolsOf('weather'), ...toolsOf('coding')];
  const stepsOf = (piece: string, length: number, ending: string): number =>
    scanReply(piece.repeat(Math.ceil(length / piece.length)).slice(0, length) + ending, tools, {}).steps;

  it.each(Object.keys(SHAPES))('takes linear time: %s', (shape) => {
    const piece = SHAPES[shape] ?? '';
    const length = textLength(32_000);
    for (const ending of ['', ')]', '\n```\n']) {
      const [half, whole] = [stepsOf(piece, length / 2, ending), stepsOf(piece, length, ending)];
      expect(whole / half).toBeLessThan(2.6);
      expect(whole).toBeLessThan(length * 8 + 65_536);
    }
  });

  it.each([
    'get_weather(city=[',
    '[get_weather(city={"a":',
    'get_weather(',
    '<|tool_call>call:get_weather{a:{',
  ])('survives deep nesting of %s', (piece) => {
    const text = piece + '[{"a":'.repeat(20_000);
    expect(() => scanReply(text, tools, {})).not.toThrow();
    expect(scanReply(piece.repeat(5_000), tools, {}).report.calls).toEqual([]);
  });

  it('finds two thousand calls', () => {
    const text = '<|tool_call_start|>[get_weather(city="a")]<|tool_call_end|>\n'.repeat(2_000);
    expect(scanReply(text, tools, {}).report.calls).toHaveLength(2_000);
  });
});
