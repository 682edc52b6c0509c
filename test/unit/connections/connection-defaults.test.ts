// How the settings of a connection affect each of its requests. The server answers with a call that is written as text.
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { ApiKeys } from '../../../src/connections/keys/api-keys';
import { DemoSource } from '../../../src/connections/sources/demo-source';
import { closeConnections } from '../../../src/library';
import { sendJson, startServer } from '../../support/servers/http-server';
import { WEATHER } from '../../support/messages/recorded-tools';
import { FakeSecrets, settings } from '../../support/vscode/vscode-stub';
import { connect } from '../../support/connections/connect';

const connections = connect(new ApiKeys(new FakeSecrets()), new DemoSource());

const CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';

afterAll(closeConnections);
beforeEach(() => {
  settings.workspace = {};
});

async function chat(entry: object) {
  await using server = await startServer((_, response) =>
    sendJson(response, 200, { message: { content: CALL }, done: true }),
  );
  settings.user = {
    connections: { own: { provider: 'local-host', host: server.url, model: 'tiny', ...entry } },
  };
  const connection = connections.find('own');
  const { provider } = await connections.makeProvider({
    connection,
    model: undefined,
    rescueToolCalls: true,
  });
  const turn = await provider.chat({
    messages: [{ role: 'user', content: 'hi' }],
    tools: [WEATHER],
    sampling: { seed: 7 },
  });
  const body = JSON.parse(server.requests[0]?.body ?? '{}') as { options?: object };
  return { turn, body, view: await connections.view(connection) };
}

describe('the settings of a connection', () => {
  test('provide its sampling where a request has none', async () => {
    const { body, view } = await chat({ sampling: { temperature: 0.5, seed: 1, topK: 3 } });
    expect(body.options).toEqual({ temperature: 0.5, seed: 7, top_k: 3 });
    expect(view.sampling).toEqual({ temperature: 0.5, seed: 1, topK: 3 });
  });

  test('turn rescue off even if a lane turns it on, and the view shows that', async () => {
    const { turn, view } = await chat({ rescueToolCalls: false });
    expect(turn.toolCalls).toEqual([]);
    expect(view.isRescueOff).toBe(true);
    const { turn: rescued, view: other } = await chat({});
    expect(rescued.toolCalls).toMatchObject([{ name: 'get_weather', source: 'rescued' }]);
    expect(other).not.toHaveProperty('isRescueOff');
    expect(other).not.toHaveProperty('sampling');
  });
});
