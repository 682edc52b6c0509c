import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDemoServer } from '../../../../src/demo';
import type { DemoServer } from '../../../../src/demo';
import { closeConnections, HostedApiProvider, LocalHostProvider } from '../../../../src/library';
import type { Providers } from '../../../../src/library';
import { sendRequest } from '../raw-request';

let server: DemoServer;
beforeAll(async () => {
  server = await startDemoServer();
});
afterAll(() => Promise.all([server.close(), closeConnections()]));

const hosted = (): Providers =>
  new HostedApiProvider({ host: server.hostedHost, model: 'native-call', apiKey: '', auth: 'none' });
const local = (sampling = {}): Providers =>
  new LocalHostProvider({ host: server.localHost, model: 'native-call', sampling });
const asked = {
  messages: [{ role: 'user' as const, content: 'What is the weather in Oslo?' }],
  tools: [{ name: 'get_weather', parameters: { type: 'object' } }],
};

describe('the rendered prompt of the demo', () => {
  test('is that of its template, and has as many tokens as the usage of a reply reports', async () => {
    const rendered = await hosted().renderPrompt(asked);
    expect(rendered.text).toMatch(
      /^<tools>\n.*"get_weather".*\n<\/tools>\n<\|im_start\|>user\nWhat.*assistant\n$/s,
    );
    expect(rendered.specialTokens).toEqual(['<|im_start|>', '<|im_end|>']);
    const { usage } = await hosted().chat(asked);
    expect(rendered.tokens).toBe(usage.promptTokens);
  });

  test('is the same in both protocols, and has lost the tools where the context is too small', async () => {
    const [one, other] = await Promise.all([hosted().renderPrompt(asked), local().renderPrompt(asked)]);
    expect(other.text).toBe(one.text);
    const cut = await local({ numCtx: 20 }).renderPrompt(asked);
    expect(cut).toMatchObject({ contextLength: 20, missingTools: ['get_weather'] });
  });

  test.each([
    ['/tokenize', '{"content":""}', 200, '{"tokens":[]}'],
    ['/tokenize', '{"content":"<|x|>abcdefg"}', 200, '{"tokens":[0,1,2]}'],
    ['/tokenize', '{}', 400, expect.stringContaining('must be a string')],
    ['/apply-template', '{"model":"native-call"}', 400, expect.stringContaining('messages')],
  ])('answers POST %s with %s as llama-server does', async (path, body, status, text) => {
    const answer = await sendRequest(`${server.localHost}${path}`, { body });
    expect([answer.status, answer.body]).toEqual([status, text]);
  });
});
