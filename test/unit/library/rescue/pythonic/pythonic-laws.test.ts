// Laws of the pythonic formats, the Gemma formats and YAML that the laws of all formats do not cover.
import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { scanReply } from '../../../../../src/library/rescue/decide/scan-reply';
import { runs } from '../../../../support/arbitrary/properties';
import { createRandom } from '../../../../support/arbitrary/random';
import { write } from '../law-support';
import { toolsOf, toPlain } from '../rescue-fixtures';

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
const plain = (calls: readonly { name: string; arguments: unknown }[]): string[] =>
  calls.map((call) => JSON.stringify(toPlain(call)));

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
      const text = write([call], format);
      const { calls } = rescueToolCalls(text ?? '', tools);
      const isSame = JSON.stringify(plain(calls)) === JSON.stringify(plain([call]));
      return text === undefined || isSame ? undefined : text;
    });
    expect(bad.filter((text) => text !== undefined)).toEqual([]);
  });
});

describe('scanReply on the pythonic formats', () => {
  const tools = [...toolsOf('weather'), ...toolsOf('coding')];

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
