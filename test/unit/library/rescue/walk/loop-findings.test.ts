import { describe, expect, it } from 'vitest';
import { scanReply } from '../../../../../src/library/rescue/decide/scan-reply';
import type { RescuedCall } from '../../../../../src/types';
import { textLength } from '../../../../support/properties';
import { FORMAT_IDS, isSingle, write } from '../law-support';
import { WEATHER } from '../rescue-fixtures';

const LONG = textLength(65_536);

const callsOf = (text: string): readonly RescuedCall[] => scanReply(text, WEATHER, {}).report.calls;

describe('LoopFindings', () => {
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

  it('returns separate arguments for each call', () => {
    const calls = callsOf(
      '<tool_call>{"name": "get_weather", "arguments": {"city": "Ghent"}}</tool_call>\n'.repeat(2000),
    );
    expect(new Set(calls.map((call) => call.arguments)).size).toBe(2000);
  });
});
