import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { kindsOf, onlyCall, onlyRejection, rescue, toolsOf } from '../rescue-fixtures';

const ASSISTANT = toolsOf('assistant');
const CODING = toolsOf('coding');
const METZ = 'Action: get_weather\nAction Input: {"city": "Metz"}';

describe('react', () => {
  it('returns the thought as reasoning and keeps the text before it', () => {
    const report = rescue(`Hello.\n\nThought: two\nlines\n${METZ}`);
    expect(report).toMatchObject({ content: 'Hello.', reasoning: 'two\nlines', calls: [{ start: 8 }] });
  });

  it('cuts the observation and all that follows it, which the model made up', () => {
    const text = `${METZ}\nObservation: rain\nThought: done\nFinal Answer: Rain.`;
    expect(rescue(text)).toMatchObject({ content: '', calls: [{ end: text.length }], rejected: [] });
    expect(kindsOf(onlyCall(text).repairs)).toEqual(['hallucinated-observation']);
  });

  it('does not note a repair for an empty observation', () => {
    expect(onlyCall(`${METZ}\nObservation:`).repairs).toEqual([]);
  });

  it('keeps both of two actions when there is no observation between them', () => {
    const text = `Action: get_time\nAction Input: UTC\nThought: and\n${METZ}`;
    expect(rescue(text, ASSISTANT).calls.map(({ name }) => name)).toEqual(['get_time', 'get_weather']);
  });

  it.each([
    ['UTC\n', 'UTC'],
    ['"UTC"', 'UTC'],
    ["'UTC'", 'UTC'],
    ['"UTC" or "GMT"\n', '"UTC" or "GMT"'],
    ['UTC<|im_end|>\n', 'UTC'],
    ['two\n\nlines\nObservation:', 'two\n\nlines'],
  ])('assigns the input %j to the only text parameter of the tool', (input, timezone) => {
    expect(onlyCall(`Action: get_time\nAction Input: ${input}`, ASSISTANT).arguments).toEqual({ timezone });
  });

  it('refuses a plain input when the tool has two text parameters', () => {
    expect(onlyRejection('Action: get_weather\nAction Input: Metz').reason).toBe('invalid-arguments');
  });

  it.each(['"UTC', '`', '``', '{"timezone": "UTC"'])('reports the input %j as cut', (input) => {
    expect(onlyRejection(`Action: get_time\nAction Input: ${input}`, ASSISTANT).reason).toBe('truncated');
  });

  it('reports plain input at the end of the text as cut, unless the finish reason is stop', () => {
    const text = 'Action: read_file\nAction Input: src/a';
    for (const finishReason of ['length', undefined]) {
      const { calls, rejected } = rescueToolCalls(text, CODING, { finishReason });
      expect([calls, rejected.map(({ reason }) => reason)]).toEqual([[], ['truncated']]);
    }
    const { calls } = rescueToolCalls(text, CODING, { finishReason: 'stop' });
    expect(calls).toMatchObject([{ arguments: { path: 'src/a' } }]);
  });

  it('leaves the stop word out of a plain input, unless the reply may have been cut there', () => {
    const text = 'Action: read_file\nAction Input: src/a\nObservation';
    const { calls } = rescueToolCalls(text, CODING, { finishReason: 'stop' });
    expect(calls).toMatchObject([{ arguments: { path: 'src/a' }, end: text.length, repairs: [] }]);
    expect(rescueToolCalls(text, CODING, { finishReason: 'length' }).calls).toEqual([]);
  });

  it('requires an input, unless an observation shows that there was none', () => {
    expect(rescue('Action: git_status', CODING)).toMatchObject({ calls: [], rejected: [] });
    expect(onlyCall('Action: git_status\nObservation: clean', CODING).arguments).toEqual({});
    expect(onlyCall('Action: git_status\nAction Input:\n', CODING).arguments).toEqual({});
  });

  it.each([
    'Action: Ann sends it\nAction Input: none',
    'Action: one of [get_weather]\nAction Input: the input',
  ])('does not treat minutes or instructions as actions: %j', (text) =>
    expect(rescue(text)).toEqual({ calls: [], content: text, rejected: [] }),
  );
});

describe('reactJson', () => {
  it('assigns a plain text to the only text parameter of the tool', () => {
    const text = 'Action:\n```json\n{"action": "get_time", "action_input": "UTC"}\n```';
    expect(onlyCall(text, ASSISTANT)).toMatchObject({ format: 'react-json', arguments: { timezone: 'UTC' } });
  });

  it('rejects the action "Final Answer" as an answer, not a call', () => {
    const text = 'Action:\n```json\n{"action": "Final Answer", "action_input": "Noon."}\n```';
    expect(onlyRejection(text).reason).toBe('final-answer');
    expect(rescue(text).content).toBe(text);
  });
});
