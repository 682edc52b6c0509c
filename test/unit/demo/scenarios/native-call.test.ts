import { describe, expect, test } from 'vitest';
import { FLIGHTS_TOOL, PROTOCOLS, WEATHER_TOOL, userMessage, weatherResult } from '../ask-model';
import { OSLO_ANSWER, OSLO_CALL, OSLO_TEXT, SNOW, useOslo } from '../oslo';

describe.each(PROTOCOLS)('nativeCall in the %s protocol', (protocol) => {
  const ask = useOslo();
  const question = { protocol, model: 'native-call' };

  test('makes a native call', async () => {
    const finishReason = protocol === 'local' ? 'stop' : 'tool_calls';
    expect(await ask(question)).toMatchObject({ status: 200, content: '', calls: [OSLO_CALL], finishReason });
  });

  test('answers from the result', async () => {
    const answer = await ask({ ...question, messages: weatherResult(protocol, SNOW) });
    expect(answer).toMatchObject({ content: OSLO_ANSWER, calls: [], finishReason: 'stop' });
    const plain = await ask({ ...question, messages: weatherResult(protocol, 'sunny') });
    expect(plain.content).toBe('The tool get_weather answered: sunny');
  });

  test('calls both tools when the message fits both', async () => {
    const messages = [userMessage('What is the weather in Oslo, and is there a flight from Paris to Oslo?')];
    const answer = await ask({ ...question, messages, tools: [WEATHER_TOOL, FLIGHTS_TOOL] });
    const flightsCall = { name: 'search_flights', arguments: { from: 'Paris', to: 'Oslo' } };
    expect(answer.calls).toEqual([OSLO_CALL, flightsCall]);
  });

  test('makes another call when the user asks again', async () => {
    const messages = [
      ...weatherResult(protocol, SNOW),
      { role: 'assistant', content: OSLO_ANSWER },
      userMessage('And the weather in Paris?'),
    ];
    const answer = await ask({ ...question, messages });
    expect(answer.calls).toEqual([{ name: 'get_weather', arguments: { city: 'Paris' } }]);
  });
});

describe('nativeCall with tool_choice none', () => {
  const ask = useOslo();

  test('leaves its call as text, because the server does not parse it', async () => {
    const answer = await ask({ protocol: 'hosted', model: 'native-call', more: { tool_choice: 'none' } });
    expect(answer).toMatchObject({ content: OSLO_TEXT, calls: [], finishReason: 'stop' });
  });
});
