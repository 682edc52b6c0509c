import { describe, expect, it, vi } from 'vitest';
import { scanReply } from '../../../../../src/library/rescue/decide/scan-reply';
import { RESCUE_FORMATS } from '../../../../../src/library/rescue/formats/index';
import type { RescuedCall } from '../../../../../src/types';
import { FORMAT_IDS, isSingle, write } from '../law-support';
import { GHENT, rescue, tag, WEATHER } from '../rescue-fixtures';

/** More than is read of a loop of short rounds. */
const LONG = 32_768;

const callsOf = (text: string): readonly RescuedCall[] => scanReply(text, WEATHER, {}).report.calls;

/** How often any format is asked to read something. */
function countReadings(text: string): number {
  const spies = RESCUE_FORMATS.map((format) => vi.spyOn(format, 'parse'));
  try {
    scanReply(text, WEATHER, {});
    return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** The call as it is in the text. */
const toWritten = ({ name, arguments: value }: RescuedCall): unknown => ({ name, arguments: value });

describe('unfoldLoops', () => {
  it.each(FORMAT_IDS.filter((format) => !isSingle(format)))(
    'finds every call of a loop at its own place: %s',
    (format) => {
      const piece = `${write([{ name: 'get_weather', arguments: { city: 'Ghent' } }], format)}\n`;
      const count = Math.ceil(LONG / piece.length);
      // Some formats are read once per reply, or only where nothing precedes them.
      const isEach = callsOf(piece.repeat(4)).length === 4;
      const text = piece.repeat(count);
      const found = callsOf(text).map(({ name, arguments: value, start, end, repairs }) => ({
        name,
        value,
        written: text.slice(start, end).trim(),
        repairs: repairs.map(({ kind }) => kind),
      }));
      expect(found).toHaveLength(isEach ? count : 1);
      const [, ...others] = found;
      expect(others).toEqual(others.map(() => others[0]));
    },
  );

  it('reads only the first calls of a loop', () => {
    const piece = '<tool_call>{"name": "get_weather", "arguments": {"city": "Ghent"}}</tool_call>\n';
    const { steps } = scanReply(piece.repeat(4000), WEATHER, {});
    expect(steps).toBeLessThan(2 * 4000 * piece.length);
  });

  it.each([
    ['in fences', '```\n[get_weather(city="Ghent")]\n```\n'],
    ['after thoughts', 'Thought: I look.\nAction: get_weather\nAction Input: {"city": "Ghent"}\n'],
    ['beside damaged calls', '<|tool_call_start|>[get_weather(city="Ghent"), get_weather(city="'],
    [
      'before invented results, in code',
      '`✿FUNCTION✿: get_weather ✿ARGS✿: {"city": "Ghent"} ✿RESULT✿ 4 degrees` ',
    ],
    ['beside results', '<tool_response>\nget_weather{"city":"Ghent"}'],
    [
      'twice in a round',
      `<tool_call>\n${'name: get_weather\narguments:\n  city: Ghent\n<tool_call>\n'.repeat(2)}`,
    ],
  ])('reads only the first calls of a loop: %s', (_, piece) => {
    const most = countReadings(piece.repeat(Math.ceil(LONG / piece.length)));
    expect(countReadings(piece.repeat(Math.ceil((4 * LONG) / piece.length)))).toBeLessThan(1.2 * most);
  });

  it('moves the offsets in the details of rejections', () => {
    const damaged = '<tool_call>{"name": "get_weather", "arguments": {"city" 1}}</tool_call>';
    const { rejected } = scanReply(`${damaged}${tag(GHENT)}\n`.repeat(2000), WEATHER, {}).report;
    const offsets = rejected.flatMap(({ start, detail }) => {
      const [, at] = /offset (\d+)/.exec(detail) ?? [];
      return at === undefined ? [] : [Number(at) - start];
    });
    expect(offsets.length).toBeGreaterThan(1000);
    expect(new Set(offsets).size).toBe(1);
  });

  it('returns separate arguments for each call', () => {
    const calls = callsOf(
      '<tool_call>{"name": "get_weather", "arguments": {"city": "Ghent"}}</tool_call>\n'.repeat(2000),
    );
    expect(new Set(calls.map((call) => call.arguments)).size).toBe(2000);
  });

  it('finds every call of several loops, and what is between them', () => {
    const pieces = ['Ghent', 'Oslo'].flatMap((city) => [
      tag(GHENT.replace('Ghent', city)),
      `<think>so</think>\n${tag(GHENT.replace('Ghent', city))}\n`,
    ]);
    const text = pieces.map((piece) => piece.repeat(800)).join(' And then: ');
    const { calls, content } = rescue(text);
    expect(calls).toHaveLength(3200);
    const written = calls.map(({ start, end }) => text.slice(start, end).trim());
    expect(written).toEqual(
      calls.map((call) => tag(JSON.stringify(toWritten(call)).replaceAll(/[:,]/g, '$& '))),
    );
    expect(content.split(/\s+/)).toEqual('And then: And then: And then:'.split(' '));
  });

  it('gives no two calls the same id', () => {
    const piece =
      '<tool_call>{"id": "call_1", "name": "get_weather", "arguments": {"city": "Ghent"}}</tool_call>\n';
    const calls = callsOf(piece.repeat(2000));
    expect(calls[0]?.id).toBe('call_1');
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2000);
  });

  it('tells in every round what is rejected beside calls, with the text of the model as it is', () => {
    const piece = `${tag('{"name": "fly at offset 12", "arguments": {}}')}\n${tag(GHENT)}\n`;
    const { rejected } = rescue(piece.repeat(2000));
    const [first] = rejected;
    expect(first?.reason).toBe('unknown-tool');
    expect(rejected).toEqual(
      Array.from({ length: 2000 }, (_, index) => ({
        ...first,
        start: (first?.start ?? 0) + index * piece.length,
        end: (first?.end ?? 0) + index * piece.length,
      })),
    );
  });

  it('tells a few times only what is rejected in a loop without calls', () => {
    const { rejected, calls, content } = rescue(`${`${GHENT}\n`.repeat(2000)}Done.`);
    expect(calls).toEqual([]);
    expect(content).toHaveLength(2000 * (GHENT.length + 1) + 'Done.'.length);
    expect(rejected[0]?.reason).toBe('example');
    expect(rejected.length).toBeLessThan(50);
  });

  it.each([
    ['inside', `${tag('{"name": "get_weather", "arguments": {"city": "LOOP"}}')} Done.`],
    ['before', `LOOP${tag(GHENT)}`],
    ['after', `${tag(GHENT)}LOOP`],
    ['around', `LOOP${tag(GHENT)}LOOP`],
  ])('keeps what is %s a call', (_, pattern) => {
    const loop = 'so very '.repeat(8000);
    const [before = '', city] = pattern.split('LOOP');
    const { calls, content } = rescue(pattern.replaceAll('LOOP', loop));
    const isInside = city !== undefined && before.endsWith('"');
    expect(calls).toMatchObject([{ arguments: { city: isInside ? loop : 'Ghent' } }]);
    expect(content.length).toBe(isInside ? 'Done.'.length : contentLength(pattern, loop));
  });
});

/** The length of what is left of the text without its call. */
const contentLength = (pattern: string, loop: string): number =>
  pattern.replace(tag(GHENT), '').replaceAll('LOOP', loop).trim().length;
