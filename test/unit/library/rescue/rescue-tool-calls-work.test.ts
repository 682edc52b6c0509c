import { describe, expect, it } from 'vitest';
import { RESCUE_FORMATS } from '../../../../src/library/rescue/formats/index';
import type { RescueFormat } from '../../../../src/library/rescue/core/rescue-format';
import { scanReply } from '../../../../src/library/rescue/decide/scan-reply';
import { someOf, textLength } from '../../../support/properties';
import { FORMAT_IDS, write } from './law-support';
import { toolsOf } from './rescue-fixtures';

/** Long enough for a busy machine. */
const LIMIT = { timeout: 60_000 };

const TOOLS = [...toolsOf('coding'), ...toolsOf('weather'), ...toolsOf('data')];
const LENGTH = textLength(16_384);
/** Further openers of a format are spelled alike. */
const MOST_OPENERS = 6;
/** Characters looked at for each character of the text, summed over all parsers. */
const MOST_STEPS = 24;

/** Texts on which parsers were once slow: a beginning, and what is repeated after it. */
const PIECES: Record<string, readonly [string, string]> = {
  braces: ['', '{'],
  brackets: ['', '['],
  'nested objects': ['', '{"a":'],
  'pairs of braces': ['', '{} '],
  'braces in words': ['', 'x{y} '],
  openers: ['', '<tool_call>'],
  'openers with a brace': ['', '<tool_call>{'],
  'openers with an open string': ['', '<tool_call>{"name":"write_file","arguments":{"path":"a\n'],
  closers: ['', '</tool_call>'],
  'tags of a tool': ['', '<write_file>'],
  'tags of a tool and a parameter': ['', '<write_file><path>'],
  'function tags': ['', '<tool_call><function=write_file><parameter=path>'],
  'short function tags': ['', '<function=a>'],
  'escaped quotes': ['{"name":"write_file","arguments":{"path":"', '\\"'],
  backslashes: ['{"a":"', '\\'],
  quotes: ['', '"'],
  'single quotes': ['{', "'"],
  'fences with a brace': ['', '```json\n{'],
  fences: ['', '```'],
  backticks: ['', '` '],
  'calls without a value': ['', '{"name":"write_file","arguments":'],
  'tokens with a list': ['', '[TOOL_CALLS][{"name":'],
  'blanks in an object': ['{', ' '],
  'line breaks': ['', '\n'],
  'angle brackets': ['', '<'],
  commas: ['[', ','],
  slashes: ['{', '/'],
  digits: ['[', '1'],
  reasoning: ['', '<think>'],
  'calls in one line': ['', '<tool_call>{"name": "get_weather", "arguments": {"city": "Ghent"}}</tool_call>'],
  'messages in one line': [
    '',
    '{"tool_calls": [{"function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Ghent\\"}"}}]}',
  ],
  'damaged objects in a list': ['[', '{"a":1,'],
  'one long argument': [
    '<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "',
    'x = {1}; ',
  ],
};

const repeat = ([start, piece]: readonly [string, string], length: number): string =>
  (start + piece.repeat(Math.ceil(length / piece.length))).slice(0, length);

const stepsOf = (text: string): number => scanReply(text, TOOLS, {}).steps;

/** Returns undefined when the work grows linearly with the text. */
function measure(pieces: readonly [string, string]): string | undefined {
  const half = stepsOf(repeat(pieces, LENGTH / 2));
  const whole = stepsOf(repeat(pieces, LENGTH));
  if (whole / half < 2.6 && whole < LENGTH * MOST_STEPS) return undefined;
  return `${JSON.stringify(pieces)}: ${half} steps, of twice the text ${whole}`;
}

const LONG = 32_768;
/** A loop is noticed after a few dozen places, and its last repetitions are read again. */
const MOST_REJECTED = 300;

/** What a model caught in a loop may write: each token of the format, with nothing or half a call after it. */
function toDamage({ openers, closers = [], endTokens = [], reasoningTags = [] }: RescueFormat): string[] {
  const tags = reasoningTags.flatMap(({ open = '', close }) => [open, close]);
  const tokens = new Set([...openers, ...closers, ...endTokens, ...tags, '']);
  const bodies = [
    '',
    '\n',
    ' text ',
    '{"name":"x"}',
    'get_weather\n{',
    'unknown\n{',
    '{"name":"get_weather"',
  ];
  return [...tokens].flatMap((token) => bodies.map((body) => token + body)).filter((piece) => piece !== '');
}

describe('scanReply', LIMIT, () => {
  it.each(Object.keys(PIECES))('takes linear time: %s', (name) => {
    expect(measure(PIECES[name] ?? ['', ''])).toBeUndefined();
  });

  it.each(
    RESCUE_FORMATS.map(({ id, openers, leads = [] }) => ({
      id,
      openers: [...openers.slice(0, MOST_OPENERS), ...leads.slice(0, MOST_OPENERS)],
    })),
  )('takes linear time: openers of $id', ({ openers }) => {
    const bad = openers.flatMap((opener) => {
      const mark = opener.replace('^', '\n');
      return [mark, `${mark}{"a":"`, `${mark}get_weather\n{"city": "`].map((piece) => measure(['', piece]));
    });
    expect(bad.filter(Boolean)).toEqual([]);
  });

  it.each(FORMAT_IDS)('takes linear time: a repeated call, whole or cut: %s', (format) => {
    const call = write([{ name: 'get_weather', arguments: { city: 'Ghent' } }], format) ?? '';
    expect(call).not.toBe('');
    const cuts = [1, 0.9, 0.7, 0.5].map((share) => call.slice(0, Math.ceil(call.length * share)));
    expect(cuts.map((piece) => measure(['', `${piece}\n`])).filter(Boolean)).toEqual([]);
  });

  it.each(
    RESCUE_FORMATS.map((format, index) => ({ id: format.id, pieces: someOf(toDamage(format), index) })),
  )('reports repeated damage a few times only, and skips the rest: $id', ({ pieces }) => {
    const slow = pieces.flatMap((piece) => {
      const { report, steps } = scanReply(repeat(['', piece], LONG), TOOLS, {});
      const isShort = report.calls.length === 0 && report.rejected.length < MOST_REJECTED;
      return isShort && steps < LONG * 8 ? [] : [`${piece}: ${report.rejected.length}, ${steps} steps`];
    });
    expect(slow).toEqual([]);
  });

  it.each([
    '[get_weather]\n{"city": "Ghent"}\n[ text ',
    'GET_WEATHER()\n',
    '```json\n[get_weather(city="Ghent")]\n```\ntext\n',
    '```\n[get_weather(city="Ghent")]\ntext\n',
    'Call: get_weather(city="Ghent")<bot_\n',
    '<think>get_weather(city="Ghent")</think>\n',
  ])('reports only a few times why a call in repeated text was rejected: %j', (piece) => {
    const { report } = scanReply(repeat(['', piece], LONG), TOOLS, {});
    expect(report.calls).toEqual([]);
    expect(report.rejected.length).toBeGreaterThan(0);
    expect(report.rejected.length).toBeLessThan(MOST_REJECTED);
  });

  it.each(['```json\n{"name": "unknown_tool", "', 'Action:\n```json\n{"action": "unknown_tool", "'])(
    'skips a loop in an open fence: %j',
    (piece) => {
      expect(stepsOf(repeat(['', piece], LONG))).toBeLessThan(4 * LONG);
    },
  );

  it.each(['{"a":', '["a",', '[["x",', '{"name":['])(
    'skips a loop that is damaged only by being nested too deeply: %j',
    (piece) => {
      expect(stepsOf(repeat(['', piece], LONG))).toBeLessThan(4 * LONG);
    },
  );

  it.each([
    '2</parameter>\n<parameter name="b">2</parameter>\n</i',
    '<call=ask><parameter=topic>rye</parameter></call>',
  ])('does not read a loop again in rounds in which nothing can be found: %j', (piece) => {
    expect(stepsOf(repeat(['', piece], LONG))).toBeLessThan(5 * LONG);
  });

  it.each([
    ['> ', '<|open|>', '\n'],
    ['Sure.\n', '<parameter name=</city>', '\n'],
    ['Sure.\n', '>>>get_', '\n\n'],
    ['> ', '<tool_call>', '\n'],
  ])('finds the call after a loop: %j, %j', (head, piece, tail) => {
    const call = '<tool_call>{"name": "get_weather", "arguments": {"city": "Ghent"}}</tool_call>';
    const text = `${head}${piece.repeat(Math.ceil(LONG / piece.length))}${tail}${call}`;
    const { report } = scanReply(text, TOOLS, {});
    expect(report.calls.map(({ start }) => start)).toEqual([text.length - call.length]);
  });

  it('keeps the reasoning of every repetition', () => {
    const blocks = 2000;
    const { report } = scanReply('<think>so</think>get_weather()\n'.repeat(blocks), TOOLS, {});
    expect(report.reasoning).toBe(Array.from({ length: blocks }, () => 'so').join('\n\n'));
    expect(report.content).not.toContain('think');
    expect(report.rejected.length).toBeLessThan(MOST_REJECTED);
  });
});
