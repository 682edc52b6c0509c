import { describe, expect, it } from 'vitest';
import { scanReply } from '../../../../../src/library/rescue/decide/scan-reply';
import { WEATHER } from '../rescue-fixtures';

/** Calls that are all different, so that none is passed as a round of a loop. */
const writeCalls = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `<tool_call>\nname: get_weather\narguments:\n  city: C${index}</tool_call>\nSi.`,
  ).join('');

describe('findTagClose', () => {
  it('looks at each of many calls a few times, however many follow', () => {
    const text = writeCalls(800);
    const { report, steps } = scanReply(text, WEATHER, {});
    expect(report.calls.length).toBeGreaterThan(700);
    expect(steps).toBeLessThan(16 * text.length);
  });

  it.each([
    ['  city: Quito</tool_call>\nSi.', 'Quito'],
    ['  city: |\n    Quito</tool_call>\n</tool_call>', 'Quito</tool_call>\n'],
    ['  city: Quito</tool_call>\nNote: |\n  text\n', 'Quito'],
  ])('takes a closer for text only in block text before it: %j', (body, city) => {
    const [call] = scanReply(`<tool_call>\nname: get_weather\narguments:\n${body}`, WEATHER, {}).report.calls;
    expect(call?.arguments).toEqual({ city });
  });
});
