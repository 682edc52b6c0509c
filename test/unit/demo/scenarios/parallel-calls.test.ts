import { describe, expect, test } from 'vitest';
import { FLIGHTS_TOOL, PROTOCOLS, WEATHER_TOOL, userMessage, weatherResult } from '../ask-model';
import { OSLO_ANSWER, OSLO_CALL, SNOW, useOslo } from '../oslo';

const weatherIn = (city: string): object => ({ name: 'get_weather', arguments: { city } });

describe.each(PROTOCOLS)('parallelCalls in the %s protocol', (protocol) => {
  const ask = useOslo();
  const question = { protocol, model: 'parallel-calls' };

  test('calls both tools', async () => {
    const answer = await ask({ ...question, tools: [WEATHER_TOOL, FLIGHTS_TOOL] });
    expect(answer.calls).toEqual([
      OSLO_CALL,
      { name: 'search_flights', arguments: { from: 'Oslo', to: 'Paris' } },
    ]);
  });

  test('calls one tool for each of two cities in the message', async () => {
    const messages = [userMessage('What is the weather in Rome and in Bergen?')];
    const answer = await ask({ ...question, messages });
    expect(answer).toMatchObject({
      status: 200,
      content: '',
      calls: [weatherIn('Rome'), weatherIn('Bergen')],
    });
  });

  test('calls the only tool twice for a message with one city', async () => {
    expect((await ask(question)).calls).toEqual([OSLO_CALL, weatherIn('Paris')]);
  });

  test('answers from the results', async () => {
    const answer = await ask({ ...question, messages: weatherResult(protocol, SNOW) });
    expect(answer).toMatchObject({ content: OSLO_ANSWER, calls: [] });
  });
});
