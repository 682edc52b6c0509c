// Shared by the tests of sessions: a question, a tool, and sessions that end with their test.
import { onTestFinished } from 'vitest';
import type { Opened, SessionSetup } from '../../support/session/scripted-session';
import { openSession } from '../../support/session/scripted-session';

export const QUESTION = 'What is the weather in Oslo?';

const WEATHER = {
  name: 'get_weather',
  description: 'The weather.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

export const toText = (document: object): string => JSON.stringify({ version: 1, ...document }, null, 2);
export const lanes = (...ids: string[]): object => ({ lanes: ids.map((id) => ({ id, connection: id })) });
export const withTool = (mocks: object[] = []): object => ({ tools: [{ ...WEATHER, mocks }] });

export async function open(setup: SessionSetup = {}): Promise<Opened> {
  const opened = await openSession(setup);
  onTestFinished(() => opened.session.dispose());
  return opened;
}

export const send = (one: Opened, text: string, laneIds = one.session.laneIds): Promise<null> =>
  one.ask('run/start', { laneIds, kind: 'chat', text });

/** Gives a result of the lane's only or first call of a run. @param at Index of the run. */
export const give = (one: Opened, content: string, at = 0, fields: object = {}): Promise<null> =>
  one.ask('result/give', {
    laneId: 'a',
    runId: one.runs()[at]?.id ?? '',
    results: [{ callIndex: 0, content, isError: false }],
    ...fields,
  });
