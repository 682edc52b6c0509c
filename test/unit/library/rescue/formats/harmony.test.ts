import { describe, expect, it } from 'vitest';
import { onlyCall, onlyRejection, rescue, toolsOf } from '../rescue-fixtures';

const CALL =
  '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Oulu"}<|call|>';
const FINAL = '<|start|>assistant<|channel|>final<|message|>It rains.<|return|>';

describe('harmony', () => {
  it('gives the analysis as reasoning and the final channel as content, without their tokens', () => {
    const report = rescue(`<|channel|>analysis<|message|>Hm, Oulu.<|end|>${FINAL}`);
    expect(report).toEqual({ calls: [], content: 'It rains.', reasoning: 'Hm, Oulu.', rejected: [] });
  });

  it('does the same for stripped tokens', () => {
    const report = rescue('analysisHm, Oulu.assistantfinalIt rains.');
    expect(report).toEqual({ calls: [], content: 'It rains.', reasoning: 'Hm, Oulu.', rejected: [] });
    const called = rescue('analysisHm.assistantcommentary to=functions.get_weather json{"city": "Oulu"}');
    expect(called).toMatchObject({ calls: [{ arguments: { city: 'Oulu' } }], content: '', reasoning: 'Hm.' });
  });

  it('does not take a text that begins with the word for thinking', () => {
    const text = 'analysis of the data follows.';
    expect(rescue(text)).toEqual({ calls: [], content: text, rejected: [] });
  });

  it('keeps analysis that never closes, and makes no call of bare JSON in it', () => {
    const json = '{"name": "get_weather", "arguments": {"city": "Oulu"}}';
    const text = `<|channel|>analysis<|message|>I could ${json}`;
    expect(onlyRejection(text)).toMatchObject({ format: 'json-bare', reason: 'in-reasoning' });
    expect(rescue(text).content).toBe(text);
  });

  it('calls what is addressed to a function on the analysis channel', () => {
    expect(onlyCall(CALL.replace('commentary', 'analysis'))).toMatchObject({
      name: 'get_weather',
      repairs: [],
    });
  });

  it('keeps a namespace that is part of the tool’s own name', () => {
    const tools = toolsOf('weather').map((tool) => ({ ...tool, name: 'functions.get_weather' }));
    expect(onlyCall(CALL, tools)).toMatchObject({ name: 'functions.get_weather', repairs: [] });
  });

  it('lets JSON on the final channel be the answer, whatever it looks like', () => {
    const content = '{"name": "get_weather", "arguments": {"city": "Oulu"}}';
    expect(rescue(`<|channel|>final<|message|>${content}<|return|>`)).toEqual({
      calls: [],
      content,
      rejected: [],
    });
  });

  it('is text in code', () => {
    expect(rescue('The `<|channel|>analysis<|message|>` header.').reasoning).toBeUndefined();
    expect(onlyRejection(`\`${CALL}\``).reason).toBe('example');
  });

  it.each([43, 50, 72, 80])('says that a call was cut when it ends at %i', (length) => {
    expect(onlyRejection(CALL.slice(0, length))).toMatchObject({ format: 'harmony', reason: 'truncated' });
  });

  it('says where the arguments break', () => {
    expect(onlyRejection(CALL.replace('":', '"'))).toMatchObject({
      reason: 'malformed',
      detail: 'The JSON of the call of `get_weather` breaks at offset 83, in the value: expected `:`.',
    });
  });
});
