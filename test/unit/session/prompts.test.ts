// The rendered prompt of a lane: which request is rendered, what a front end is told, and what goes wrong.
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { RenderedPrompt, RenderOptions } from '../../../src/library';
import { RefusalError } from '../../../src/session';
import type { ErrorInfo } from '../../../src/protocol';
import type { Opened, SessionSetup } from '../../support/session/scripted-session';
import { openSession } from '../../support/session/scripted-session';

const opened: Opened[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ session }) => session.dispose()));
});

const KEY = 'sk-secret-secret-1';
const toPrompt = (text: string): RenderedPrompt => ({
  text,
  tokens: 7,
  contextLength: 4096,
  specialTokens: ['<|end|>'],
  isFromTokenizer: true,
  missingTools: ['get_weather'],
});

async function open(document: object = {}, setup: SessionSetup = {}) {
  const rendered: RenderOptions[] = [];
  const render: SessionSetup['render'] = (options) => {
    rendered.push(options);
    return Promise.resolve(toPrompt(`prompt ${KEY}<|end|>`));
  };
  const tools = [{ name: 'get_weather', parameters: { type: 'object' }, mocks: [{ result: 'cold' }] }];
  const text = JSON.stringify({ version: 1, system: 'Be brief.', tools, ...document });
  const one = await openSession({ text, render, secrets: [KEY], ...setup });
  opened.push(one);
  const said = (): unknown =>
    rendered.at(-1)?.messages.map(({ role, content }) => (role === 'user' ? content : role));
  return { one, rendered, said };
}

const refusalOf = async (work: Promise<unknown>): Promise<ErrorInfo> => {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof RefusalError)) throw error;
  return error.info;
};

describe('prompt/render of what would be sent now', () => {
  test('renders the draft with the system prompt and the tools, masks secrets, and sends nothing', async () => {
    const { one, rendered, said } = await open();
    await one.ask('message/draft', { text: 'Weather in Oslo?' });
    expect(await one.ask('prompt/render', { laneId: 'a' })).toEqual({
      head: `prompt ${'*'.repeat(KEY.length)}<|end|>`,
      tail: '',
      length: 32,
      tokens: 7,
      contextLength: 4096,
      specialTokens: ['<|end|>'],
      isFromTokenizer: true,
      missingTools: ['get_weather'],
    });
    expect(said()).toEqual(['system', 'Weather in Oslo?']);
    expect(rendered[0]?.tools).toEqual([expect.objectContaining({ name: 'get_weather' })]);
    expect(one.asked).toEqual([]);
  });

  test('takes pending messages up to the first question, after the conversation', async () => {
    const messages = ['one', 'two', 'three'].map((content) => ({ role: 'user', content }));
    const { one, said } = await open({ messages: messages.slice(0, 2) });
    await one.ask('prompt/render', { laneId: 'a' });
    expect(said()).toEqual(['system', 'one']);
    await one.ask('run/start', { laneIds: ['a'], kind: 'chat', text: 'two' });
    await one.settled();
    await one.ask('message/draft', { text: 'three' });
    await one.ask('prompt/render', { laneId: 'a' });
    expect(said()).toEqual(['system', 'one', 'assistant', 'two', 'assistant', 'three']);
  });

  test('leaves out a last reply that would be asked for again', async () => {
    const { one, said } = await open();
    await one.ask('run/start', { laneIds: ['a'], kind: 'chat', text: 'one' });
    await one.settled();
    await one.ask('prompt/render', { laneId: 'a' });
    expect(said()).toEqual(['system', 'one']);
  });

  test('says that there is nothing to send', async () => {
    const { one } = await open();
    expect(await refusalOf(one.ask('prompt/render', { laneId: 'a' }))).toMatchObject({
      what: 'There is nothing to send.',
    });
  });

  test('tells of a connection that cannot be opened, and of a provider that does not render', async () => {
    const messages = [{ role: 'user', content: 'hi' }];
    const gone = await open({ messages, lanes: [{ id: 'a', connection: 'gone' }] });
    const { what } = await refusalOf(gone.one.ask('prompt/render', { laneId: 'a' }));
    expect(what).toContain('no longer exists');
    const plain = await open({ messages }, { render: undefined });
    const refused = await refusalOf(plain.one.ask('prompt/render', { laneId: 'a' }));
    expect(refused.what).toContain('cannot show the rendered prompt');
  });

  test('gives the number of tokens alone where the server only counts, and tells why it cannot', async () => {
    const messages = [{ role: 'user', content: 'hi' }];
    const counted: RenderOptions[] = [];
    const count: SessionSetup['count'] = (options) => {
      counted.push(options);
      return Promise.resolve(23);
    };
    const { one } = await open({ messages }, { render: undefined, count });
    expect(await one.ask('prompt/render', { laneId: 'a' })).toEqual({
      head: '',
      tail: '',
      length: 0,
      tokens: 23,
      isCountOnly: true,
      specialTokens: [],
      isFromTokenizer: false,
      missingTools: [],
    });
    expect(counted[0]?.tools).toEqual([expect.objectContaining({ name: 'get_weather' })]);
    expect(() => one.session.prompts.textOf({ laneId: 'a' })).toThrow(RefusalError);
    const failing = await open(
      { messages },
      { render: undefined, count: () => Promise.reject(new Error('the counter broke')) },
    );
    const refused = await refusalOf(failing.one.ask('prompt/render', { laneId: 'a' }));
    expect(JSON.stringify(refused)).toContain('the counter broke');
  });

  test('does not count where rendering itself fails', async () => {
    const render = (): Promise<never> => Promise.reject(new Error('the template broke'));
    const count = (): Promise<number> => Promise.resolve(23);
    const { one } = await open({ messages: [{ role: 'user', content: 'hi' }] }, { render, count });
    const refused = await refusalOf(one.ask('prompt/render', { laneId: 'a' }));
    expect(JSON.stringify(refused)).toContain('the template broke');
  });

  test('gives the beginning and the end of a long prompt, and the whole of it for an editor', async () => {
    const text = `${'a'.repeat(59_999)}😀${'b'.repeat(10_000)}😀${'c'.repeat(59_999)}`;
    const { one } = await open({}, { render: () => Promise.resolve(toPrompt(text)) });
    await one.ask('message/draft', { text: 'hi' });
    const view = await one.ask('prompt/render', { laneId: 'a' });
    expect([view.head, view.tail, view.length]).toEqual([
      'a'.repeat(59_999),
      'c'.repeat(59_999),
      text.length,
    ]);
    expect(one.session.prompts.textOf({ laneId: 'a' })).toBe(text);
    expect(() => one.session.prompts.textOf({ laneId: 'a', runId: 'r' })).toThrow(RefusalError);
  });

  test('ends by itself when the server does not answer, and says what to do', async () => {
    const render = ({ signal }: RenderOptions): Promise<never> =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('ended'))));
    const { one } = await open({ messages: [{ role: 'user', content: 'hi' }] }, { render });
    const { what, why, next } = await refusalOf(one.ask('prompt/render', { laneId: 'a' }));
    expect(what).toBe('The server did not render the prompt within 3 minutes.');
    expect([why, next]).not.toContain('');
  });
});

describe('prompt/render of a run', () => {
  test('renders the body of its last request as it was sent', async () => {
    const { one, rendered } = await open();
    const sampling = { lane: {}, connection: {}, keys: {}, sent: {}, dropped: [] };
    const requests = ['{"messages":[1]}', '{"messages":[2]}'].map((body) => ({
      method: 'POST',
      url: 'http://127.0.0.1/v1/chat/completions',
      headers: {},
      body,
    }));
    vi.spyOn(one.session.past, 'wire').mockResolvedValue({
      connectionId: 'demo',
      model: 'm',
      tools: [],
      sampling,
      requests,
      attempts: [{ name: 'attempt-1', request: 1 }],
    });
    await one.ask('prompt/render', { laneId: 'a', runId: 'r' });
    expect(rendered).toEqual([{ messages: [], body: '{"messages":[2]}', signal: expect.any(AbortSignal) }]);
  });

  test('says that a request is no longer stored', async () => {
    const { one } = await open();
    const { what } = await refusalOf(one.ask('prompt/render', { laneId: 'a', runId: 'gone' }));
    expect(what).toBe('The request of this run is no longer stored.');
  });
});
