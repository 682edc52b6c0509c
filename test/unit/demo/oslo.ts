// The conversation in the tests of the scripted models: a new server per test, and a question about Oslo's weather.
import { afterEach, beforeEach } from 'vitest';
import { startDemoServer } from '../../../src/demo';
import type { DemoServer } from '../../../src/demo';
import { WEATHER_TOOL, askModel, userMessage } from './ask-model';
import type { Answer, Question } from './ask-model';

export const SNOW = '{"temp_c":-2,"sky":"snow"}';
export const OSLO_CALL = { name: 'get_weather', arguments: { city: 'Oslo' } };
export const OSLO_TEXT = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>';
export const OSLO_ANSWER = 'It is −2 °C in Oslo, with snow.';
export const NO_TOOL_ANSWER = 'No tool is offered, so I can only answer in words.';

/** A question about Oslo, followed by `messages`. */
export type OsloQuestion = Pick<Question, 'protocol' | 'model'> & Partial<Question>;

/** Starts a server for each test of the file. @returns a function that sends questions to it. */
export function useOslo(): (question: OsloQuestion) => Promise<Answer> {
  let server: DemoServer;
  beforeEach(async () => {
    server = await startDemoServer();
  });
  afterEach(() => server.close());
  return ({ messages = [], ...question }) =>
    askModel(server, {
      tools: [WEATHER_TOOL],
      ...question,
      messages: [userMessage('What is the weather in Oslo?'), ...messages],
    });
}

/** Sends the same request several times, one after the other. */
export async function repeat(count: number, ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let done = 0; done < count; done += 1) answers.push(await ask());
  return answers;
}

export function statusesOf(answers: readonly Answer[]): number[] {
  return answers.map(({ status }) => status);
}
