import { describe, expect, it } from 'vitest';
import { onlyCall, onlyRejection, rescue, toolsOf } from '../rescue-fixtures';

const CALL =
  '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Oulu"}<|call|>';
const FINAL = '<|start|>assistant<|channel|>final<|message|>It rains.<|return|>';

describe('harmony', () => {
  it('returns the analysis as reasoning and the final channel as content, without their tokens', () => {
    const report = rescue(`<|channel|>analysis<|message|>Hm, Oulu.<|end|>${FINAL}`);
    expect(report).toEqual({ calls: [], content: 'It rains.', reasoning: 'Hm, Oulu.', rejected: [] });
  });

  it('does the same when the special tokens were stripped', () => {
    const report = rescue('analysisHm, Oulu.assistantfinalIt rains.');
    expect(report).toEqual({ calls: [], content: 'It rains.', reasoning: 'Hm, Oulu.', rejected: [] });
    const called = rescue('analysisHm.assistantcommentary to=functions.get_weather json{"city": "Oulu"}');
    expect(called).toMatchObject({ calls: [{ arguments: { city: 'Oulu' } }], content: '', reasoning: 'Hm.' });
  });

  it('does not treat a text that merely begins with the word "analysis" as reasoning', () => {
    const text = 'analysis of the data follows.';
    expect(rescue(text)).toEqual({ calls: [], content: text, rejected: [] });
  });

  it('keeps analysis that is never closed, and finds no call in bare JSON in it', () => {
    const json = '{"name": "get_weather", "arguments": {"city": "Oulu"}}';
    const text = `<|channel|>analysis<|message|>I could ${json}`;
    expect(onlyRejection(text)).toMatchObject({ format: 'json-bare', reason: 'in-reasoning' });
    expect(rescue(text).content).toBe(text);
  });

  it('rescues a call to a function on the analysis channel', () => {
    expect(onlyCall(CALL.replace('commentary', 'analysis'))).toMatchObject({
      name: 'get_weather',
      repairs: [],
    });
  });

  it('keeps a namespace that is part of the name of the tool', () => {
    const tools = toolsOf('weather').map((tool) => ({ ...tool, name: 'functions.get_weather' }));
    expect(onlyCall(CALL, tools)).toMatchObject({ name: 'functions.get_weather', repairs: [] });
  });

  it('leaves JSON on the final channel as the answer, even when it looks like a call', () => {
    const content = '{"name": "get_weather", "arguments": {"city": "Oulu"}}';
    expect(rescue(`<|channel|>final<|message|>${content}<|return|>`)).toEqual({
      calls: [],
      content,
      rejected: [],
    });
  });

  it('treats its tokens inside code as plain text', () => {
    expect(rescue('The `<|channel|>analysis<|message|>` header.').reasoning).toBeUndefined();
    expect(onlyRejection(`\`${CALL}\``).reason).toBe('example');
  });

  it.each([43, 50, 72, 80])('reports a call as cut when the text ends at offset %i', (length) => {
    expect(onlyRejection(CALL.slice(0, length))).toMatchObject({ format: 'harmony', reason: 'truncated' });
  });

  it('reports where the arguments are malformed', () => {
    expect(onlyRejection(CALL.replace('":', '"'))).toMatchObject({
      reason: 'malformed',
      detail: 'The JSON of the call of `get_weather` breaks at offset 83, in the value: expected `:`.',
    });
  });
});
