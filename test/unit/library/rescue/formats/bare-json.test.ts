import { describe, expect, it } from 'vitest';
import { scanReply } from '../../../../../src/library/rescue/decide/scan-reply';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { kindsOf, toPlain, toolsOf } from '../rescue-fixtures';

const TOOLS = [...toolsOf('weather'), ...toolsOf('data')];
const CALL = '{"name": "get_weather", "arguments": {"city": "Ghent"}}';

const rescue = (text: string) => rescueToolCalls(text, TOOLS);

describe('jsonBare', () => {
  it('reads a call that ends the reply, with prose before it', () => {
    expect(rescue(`I will look.\n${CALL}`)).toMatchObject({
      calls: [{ format: 'json-bare', evidence: 'shape', arguments: { city: 'Ghent' } }],
      content: 'I will look.',
    });
  });

  it('gives each call of an envelope its own range of offsets', () => {
    const text = `{"tool_calls": [${CALL}, ${CALL}, ${CALL}]}`;
    const { calls } = rescue(text);
    expect(calls.map(({ start, end }) => text.slice(start, end))).toEqual([
      `{"tool_calls": [${CALL}`,
      `, ${CALL}`,
      `, ${CALL}]}`,
    ]);
  });

  it('keeps the ids of an envelope', () => {
    const text =
      '{"tool_calls": [{"id": "call_7", "function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Nancy\\"}"}}]}';
    expect(rescue(text).calls).toMatchObject([{ id: 'call_7', arguments: { city: 'Nancy' } }]);
  });

  it.each([
    ['the answer', '{"city": "Ghent", "rain": true}'],
    ['an empty list', '[]'],
    ['a list of numbers', '[1, 2, 3]'],
    ['a call inside data', `{"example": ${CALL}}`],
    ['damaged data that contains a call', `{"rows": [1, oops], "example": ${CALL}}`],
  ])('ignores %s', (_, text) => {
    expect(rescue(text)).toEqual({ calls: [], content: text, rejected: [] });
  });

  it('still finds a marker after a brace that is never closed', () => {
    const { calls } = rescue(`Open with { and:\n<tool_call>${CALL}</tool_call>`);
    expect(calls.map(toPlain)).toEqual([JSON.parse(CALL)]);
  });

  it('reads a paragraph of ever more open brackets only once, and then goes on', () => {
    const loop = '~~~tool{"name": "get_weather", "arguments": {"city": "'.repeat(2000);
    const { report, steps } = scanReply(`${loop}\n\n${CALL}`, TOOLS, {});
    expect(steps).toBeLessThan(4 * loop.length);
    expect(report.calls.map(toPlain)).toEqual([JSON.parse(CALL)]);
  });

  it('repairs a missing outer brace and an extra one', () => {
    expect(kindsOf(rescue(CALL.slice(0, -1)).calls[0]?.repairs ?? [])).toEqual(['missing-closer']);
    expect(rescue(`${CALL}}`)).toMatchObject({
      calls: [{ repairs: [{ kind: 'extra-closer', at: CALL.length }] }],
      content: '',
    });
  });

  it('reports a damaged call only when it names an offered tool', () => {
    expect(rescue('{"name": "add", "arguments": {"a": 1').rejected).toMatchObject([
      { reason: 'truncated', name: 'add' },
    ]);
    expect(rescue('{"name": "Ana", "arguments": {"a": 1').rejected).toEqual([]);
  });
});
