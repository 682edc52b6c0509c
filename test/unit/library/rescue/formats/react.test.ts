import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { kindsOf, onlyCall, onlyRejection, rescue, toolsOf } from '../rescue-fixtures';

const ASSISTANT = toolsOf('assistant');
const CODING = toolsOf('coding');
const METZ = 'Action: get_weather\nAction Input: {"city": "Metz"}';

describe('react', () => {
  it('gives the thought as reasoning and keeps what stands before it', () => {
    const report = rescue(`Hello.\n\nThought: two\nlines\n${METZ}`);
    expect(report).toMatchObject({ content: 'Hello.', reasoning: 'two\nlines', calls: [{ start: 8 }] });
  });

  it('ends with the observation: what follows was made up', () => {
    const text = `${METZ}\nObservation: rain\nThought: done\nFinal Answer: Rain.`;
    expect(rescue(text)).toMatchObject({ content: '', calls: [{ end: text.length }], rejected: [] });
    expect(kindsOf(onlyCall(text).repairs)).toEqual(['hallucinated-observation']);
  });

  it('says nothing of an observation that is left empty', () => {
    expect(onlyCall(`${METZ}\nObservation:`).repairs).toEqual([]);
  });

  it('keeps both of two actions without an observation between them', () => {
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
  ])('takes the input %j for the only text that the tool takes', (input, timezone) => {
    expect(onlyCall(`Action: get_time\nAction Input: ${input}`, ASSISTANT).arguments).toEqual({ timezone });
  });

  it('does not guess which of two texts it is', () => {
    expect(onlyRejection('Action: get_weather\nAction Input: Metz').reason).toBe('invalid-arguments');
  });

  it.each(['"UTC', '`', '``', '{"timezone": "UTC"'])('takes the input %j for cut', (input) => {
    expect(onlyRejection(`Action: get_time\nAction Input: ${input}`, ASSISTANT).reason).toBe('truncated');
  });

  it('takes plain input at the end of the text for cut, unless the model stopped there itself', () => {
    const text = 'Action: read_file\nAction Input: src/a';
    for (const finishReason of ['length', undefined]) {
      const { calls, rejected } = rescueToolCalls(text, CODING, { finishReason });
      expect([calls, rejected.map(({ reason }) => reason)]).toEqual([[], ['truncated']]);
    }
    const { calls } = rescueToolCalls(text, CODING, { finishReason: 'stop' });
    expect(calls).toMatchObject([{ arguments: { path: 'src/a' } }]);
  });

  it('needs an input, unless an observation shows that there was none', () => {
    expect(rescue('Action: git_status', CODING)).toMatchObject({ calls: [], rejected: [] });
    expect(onlyCall('Action: git_status\nObservation: clean', CODING).arguments).toEqual({});
    expect(onlyCall('Action: git_status\nAction Input:\n', CODING).arguments).toEqual({});
  });

  it.each([
    'Action: Ann sends it\nAction Input: none',
    'Action: one of [get_weather]\nAction Input: the input',
  ])('takes neither minutes nor instructions for actions: %j', (text) =>
    expect(rescue(text)).toEqual({ calls: [], content: text, rejected: [] }),
  );
});

describe('reactJson', () => {
  it('takes a text for the only text that the tool takes', () => {
    const text = 'Action:\n```json\n{"action": "get_time", "action_input": "UTC"}\n```';
    expect(onlyCall(text, ASSISTANT)).toMatchObject({ format: 'react-json', arguments: { timezone: 'UTC' } });
  });

  it('lets the final answer be the answer', () => {
    const text = 'Action:\n```json\n{"action": "Final Answer", "action_input": "Noon."}\n```';
    expect(onlyRejection(text).reason).toBe('final-answer');
    expect(rescue(text).content).toBe(text);
  });
});
