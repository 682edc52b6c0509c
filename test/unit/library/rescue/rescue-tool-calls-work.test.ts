import { describe, expect, it } from 'vitest';
import { RESCUE_FORMATS } from '../../../../src/library/rescue/formats/index';
import type { RescueFormat } from '../../../../src/library/rescue/core/rescue-format';
import { scanReply } from '../../../../src/library/rescue/decide/scan-reply';
import { someOf, textLength } from '../../../support/arbitrary/properties';
import { FORMAT_IDS, write } from './law-support';
import { toolsOf } from './rescue-fixtures';

/** Long enough for a busy machine. */
const LIMIT = { timeout: 60_000 };

const TOOLS = [...toolsOf('coding'), ...toolsOf('weather'), ...toolsOf('data')];
const LENGTH = textLength(16_384);
/** Further openers of a format are spelled alike. */
const MAX_OPENERS = 6;
/** What a model may write after an opener before it starts anew. */
const OPENED = ['{"a":"', '{"name": "', "[{'a': 'b", 'get_weather\n{"city": "'];
/** Characters looked at for each character of the text, summed over all parsers. */
const MAX_STEPS = 24;

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

/** Pieces of single formats on which parsers were once slow when something came after them. */
const SHAPES: readonly string[] = [
  'Action: a\n',
  'Action: get_weather\nAction Input: x\n',
  'Action: get_weather\nAction Input:\n',
  'Action: read_file\nAction Input: {"path":"',
  'Thought: x\nAction: ',
  'Action:\n```json\n{"action":"',
  'Action: ```json\n[{"tool_name":"x","parameters":{"b":"',
  '<|channel|>analysis<|message|>',
  '<|channel|>commentary to=functions.a json{"a":"',
  'commentary to=functions.get_weather ',
  '<|channel|>final<|message|>x',
  '[TOOL_CALLS]',
  '[TOOL_CALLS]a[ARGS]{"a":"',
  '[ARGS]{',
  'get_weather{"a":',
  'functions.a:0{"a":"',
  '<|tool_calls_section_begin|>',
  '<｜tool▁calls▁begin｜>',
  'a<｜tool▁sep｜>{"a":"',
  '```tool\nTOOL_NAME: a\nBEGIN_ARG: b\n',
  'TOOL_NAME: a\nBEGIN_ARG: b\n',
  '<function=a>{"a":"',
  '<|START_ACTION|>[{"a":"',
  '<|start_header_id|>assistant<|end_header_id|>{"a":',
  '{"role":"user"}',
  'a: b = c\n',
  'get_weather(',
  'get_weather(city="\n',
  'get_weather(city=[\n',
  'get_weather(city="""\n',
  '[get_weather(city="a",\n',
  '[get_weather(city=[',
  '[get_weather(city="a"), ',
  '<|tool_call_start|>[get_weather(city="a"',
  "<|tool_call_start|>[get_weather(city='",
  '<function_calls>get_weather(city="x"\n',
  '<|tool_call>call:get_weather{city:<|"|>',
  '<|tool_call>call:get_weather{city:x ',
  '\ncall:get_weather{city:x, ',
  '```tool_code\nget_weather(city="\n',
  '```tool_code\nx = 1\n',
  '<|python_tag|>get_weather.call(city="',
  'Call: get_weather(city="x"); \n',
  '::',
  'f((a)(',
  'get_weather ',
  '[get_weather(#\n',
  '```yaml\nname: get_weather\n',
  '```yaml\nname: get_weather\narguments:\n  city: "\n```\n',
  '<tool_call>\nname: get_weather\n',
  '```yaml\nname:\n - - - - -\n',
  '<tool_call>\nname: "\n',
  '<|tool_call_start|>[get_weather(city="a")]<|tool_call_end|>\n',
  'get_weather(city="a")\n',
];
/** What ends a value, a call or a fence. */
const ENDINGS = ['", %', '\n"}\n', ')]', '\n```\n'];

const repeat = ([start, piece]: readonly [string, string], length: number): string =>
  (start + piece.repeat(Math.ceil(length / piece.length))).slice(0, length);

const stepsOf = (text: string): number => scanReply(text, TOOLS, {}).steps;

/**
 * Returns undefined when the work grows linearly with the text. Both texts end at the same place of a round, and of every
 * second one, which closes the fence that the first has opened: what is read once more at the end depends on it.
 */
function measure(pieces: readonly [string, string], ending = ''): string | undefined {
  const rounds = 2 * pieces[1].length;
  const half = stepsOf(repeat(pieces, LENGTH - Math.floor(LENGTH / 2 / rounds) * rounds) + ending);
  const whole = stepsOf(repeat(pieces, LENGTH) + ending);
  if (whole / half < 2.6 && whole < LENGTH * MAX_STEPS) return undefined;
  return `${JSON.stringify([...pieces, ending])}: ${half} steps, of twice the text ${whole}`;
}

const LONG = 32_768;
/** Only the first and the last repetitions of a loop are read. */
const MAX_REJECTED = 300;

/** What each format has and none before it, because formats share openers; formats without any are left out. */
function distinct(
  piecesOf: (format: RescueFormat) => readonly string[],
): { id: string; index: number; pieces: string[] }[] {
  const seen = new Set<string>();
  return RESCUE_FORMATS.map((format, index) => {
    const pieces = piecesOf(format).filter((piece) => !seen.has(piece));
    for (const piece of pieces) seen.add(piece);
    return { id: format.id, index, pieces };
  }).filter(({ pieces }) => pieces.length > 0);
}

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

  it.each(SHAPES.map((piece, index) => ({ piece, endings: ['', ...someOf(ENDINGS, index)] })))(
    'takes linear time, also with something after it: $piece',
    ({ piece, endings }) => {
      expect(endings.map((ending) => measure(['', piece], ending)).filter(Boolean)).toEqual([]);
    },
  );

  it.each(
    distinct(({ openers, leads = [] }) => [
      ...openers.slice(0, MAX_OPENERS),
      ...leads.slice(0, MAX_OPENERS).map((lead) => lead.replace('^', '\n')),
    ]),
  )('takes linear time: openers of $id', ({ pieces, index }) => {
    const bad = pieces.flatMap((mark, at) =>
      ['', ...someOf(OPENED, index + at)].map((opened) => measure(['', mark + opened])),
    );
    expect(bad.filter(Boolean)).toEqual([]);
  });

  it.each(FORMAT_IDS.map((format, index) => ({ format, index })))(
    'takes linear time: a repeated call, whole or cut: $format',
    ({ format, index }) => {
      const call = write([{ name: 'get_weather', arguments: { city: 'Ghent' } }], format) ?? '';
      expect(call).not.toBe('');
      const cuts = [1, ...someOf([0.9, 0.8, 0.7, 0.5], index)].map((share) =>
        call.slice(0, Math.ceil(call.length * share)),
      );
      expect(cuts.map((piece) => measure(['', `${piece}\n`])).filter(Boolean)).toEqual([]);
    },
  );

  it.each(distinct(toDamage))(
    'reports repeated damage a few times only, and skips the rest: $id',
    ({ pieces, index }) => {
      const slow = someOf(pieces, index).flatMap((piece) => {
        const { report, steps } = scanReply(repeat(['', piece], LONG), TOOLS, {});
        const isShort = report.calls.length === 0 && report.rejected.length < MAX_REJECTED;
        return isShort && steps < LONG * 8 ? [] : [`${piece}: ${report.rejected.length}, ${steps} steps`];
      });
      expect(slow).toEqual([]);
    },
  );

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
    expect(report.rejected.length).toBeLessThan(MAX_REJECTED);
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
    // Each of four kinds of quotes is searched for once in the whole text.
    expect(stepsOf(repeat(['', piece], LONG))).toBeLessThan(8 * LONG);
  });

  it.each([
    ['> ', '<|open|>', '\n'],
    ['Sure.\n', '<parameter name=</city>', '\n'],
    ['Sure.\n', '>>>get_', '\n\n'],
    ['> ', '<tool_call>', '\n'],
    ['', '{"name":"get_weather","arguments":{\n', '\n'],
    ['', '[{"name":"get_weather","arguments":{}}\n', ''],
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
    expect(report.rejected.length).toBeLessThan(MAX_REJECTED);
  });
});
