// A provider that calls another provider: the inner call's attempts are part of the outer call.
import { AsyncResource } from 'node:async_hooks';
import { afterAll, describe, expect, test } from 'vitest';
import type { CallProgress, ChatDelta, ChatTurn, RawAssistant } from '../../../src/library';
import { closeConnections, LocalHostProvider, Providers } from '../../../src/library';
import { failure } from '../../support/failure';
import { sendJson, startServer } from '../../support/servers/http-server';
import { HELLO, ProbeProvider } from '../../support/connections/probe-provider';

const fast = { initialDelayMs: 1, maxDelayMs: 2 };

/** Runs the given function inside its call. */
class Outer extends Providers {
  readonly #work: (outer: Outer) => Promise<Partial<RawAssistant>>;

  constructor(work: (outer: Outer) => Promise<Partial<RawAssistant>>, apiKey = '') {
    super();
    this.configure({ apiKey } as object);
    this.#work = work;
  }

  post(url: string): ReturnType<Providers['request']> {
    return this.request(url, { method: 'POST', body: '{"from":"outer"}' });
  }

  emit(delta: ChatDelta): void {
    this.emitDelta(delta);
  }

  protected async chatInternal(): Promise<RawAssistant> {
    return (await this.#work(this)) as RawAssistant;
  }
}

afterAll(closeConnections);

describe('a call inside another one', () => {
  test('adds its attempts to the outer ledger and its exchange, with the sampling it sent, to the outer turn', async () => {
    await using server = await startServer((_, response, count) =>
      sendJson(response, count === 1 ? 503 : 200, { message: { content: 'inner' }, done: true }),
    );
    const inner = new LocalHostProvider({ host: server.url, model: 'm', retry: fast });
    const outer = new Outer(async () => ({
      content: (await inner.chat({ messages: HELLO, sampling: { topP: 1 } })).raw.content,
    }));
    const turn = await outer.chat({ messages: HELLO });
    expect(turn).toMatchObject({ raw: { content: 'inner', attempts: 2 }, attempts: 2 });
    expect(turn.ledger.map(({ status }) => status)).toEqual([503, 200]);
    expect(turn.exchange).toMatchObject({
      request: { url: `${server.url}/api/chat` },
      response: { status: 200 },
      sent: { topP: expect.stringContaining('top_p') },
    });
  });

  test('exposes neither its own secrets nor those of the outer one', async () => {
    const secrets = { inner: 'canary-of-the-inner-one', outer: 'canary-of-the-outer-one' };
    await using server = await startServer((_, response) => sendJson(response, 200, { text: secrets.outer }));
    const inner = new ProbeProvider(server.url, { apiKey: secrets.inner });
    const outer = new Outer(async () => {
      await inner.chat({ messages: [{ role: 'user', content: secrets.outer }] });
      return { content: 'done' };
    }, secrets.outer);
    const turn = await outer.chat({ messages: HELLO });
    expect(server.requests[0]?.body).toContain(secrets.outer);
    expect(turn.exchange.request.url).toBe(`${server.url}/`);
    expect(JSON.stringify(turn)).not.toContain('canary');
  });

  test('the exchange of the turn is that of the last request, whichever provider sent it', async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, { text: 'x' }));
    const inner = new ProbeProvider(server.url);
    const bodies = async (work: (outer: Outer) => Promise<unknown>): Promise<[string, number]> => {
      const outer = new Outer(async (self) => {
        await work(self);
        return { content: '' };
      });
      const { exchange, ledger } = await outer.chat({ messages: HELLO });
      return [exchange.request.body.includes('outer') ? 'outer' : 'inner', ledger.length];
    };
    const ask = (): Promise<unknown> => inner.chat({ messages: HELLO });
    expect(await bodies(async (self) => (await self.post(server.url), ask()))).toEqual(['inner', 2]);
    expect(await bodies(async (self) => (await ask(), self.post(server.url)))).toEqual(['outer', 2]);
  });

  test('keeps its ledger and exchange both in the error of the outer one and in a turn that continues without it', async () => {
    await using server = await startServer((_, response) => sendJson(response, 401, { error: 'no' }));
    const inner = new LocalHostProvider({ host: server.url, model: 'm', retry: false });
    const trace = { ledger: [{ status: 401 }], exchange: { response: { status: 401 } } };
    const ask = async (): Promise<RawAssistant> => (await inner.chat({ messages: HELLO })).raw;
    expect(await failure(new Outer(ask).chat({ messages: HELLO }))).toMatchObject({ code: 'http', ...trace });
    const patient = new Outer(() => ask().catch(() => ({ content: 'without it' })));
    expect(await patient.chat({ messages: HELLO })).toMatchObject({
      raw: { content: 'without it' },
      ...trace,
    });
    expect(server.requests).toHaveLength(2);
  });

  test('is aborted with the outer one', async () => {
    await using server = await startServer(() => undefined);
    const inner = new LocalHostProvider({ host: server.url, model: 'm' });
    const outer = new Outer(async () => (await inner.chat({ messages: HELLO })).raw);
    const controller = new AbortController();
    const stopped = failure(outer.chat({ messages: HELLO, signal: controller.signal }));
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort();
    expect(await stopped).toMatchObject({ code: 'aborted', ledger: [{ endedBy: 'caller' }] });
    await expect.poll(server.openConnections).toBe(0);
  });

  test('reports its progress to the observer of the outer one, with the attempts so far', async () => {
    await using server = await startServer((_, response) => sendJson(response, 200, { text: 'x' }));
    const inner = new ProbeProvider(server.url);
    const outer = new Outer(async () => {
      await inner.chat({ messages: HELLO });
      return (await inner.chat({ messages: HELLO })).raw;
    });
    const progressEvents: CallProgress[] = [];
    await outer.chat({ messages: HELLO, onProgress: (progress) => progressEvents.push(progress) });
    expect(progressEvents.map(({ phase, ledger }) => [phase, ledger.length])).toEqual([
      ['waiting-for-headers', 0],
      ['reading', 0],
      ['waiting-for-headers', 1],
      ['reading', 1],
    ]);
  });

  test('passes its pieces on through the outer one, each once', async () => {
    const line = (content: string, done: boolean): string =>
      `${JSON.stringify({ message: { content }, done })}\n`;
    await using server = await startServer((_, response) => response.end(line('a', false) + line('b', true)));
    const inner = new LocalHostProvider({ host: server.url, model: 'm' });
    const outer = new Outer(
      async (self) => (await inner.chat({ messages: HELLO, onDelta: (delta) => self.emit(delta) })).raw,
    );
    const deltas: ChatDelta[] = [];
    await outer.chat({ messages: HELLO, onDelta: (delta) => deltas.push(delta) });
    expect(deltas.map(({ content }) => content)).toEqual(['a', 'b']);
  });
});

test('a call inside another one is aborted with the outer one, even if it has its own signal', async () => {
  const controller = new AbortController();
  await using server = await startServer(() => controller.abort());
  const inner = new LocalHostProvider({ host: server.url, model: 'm' });
  const own = new AbortController().signal;
  let ended: string | undefined;
  const outer = new Outer(async () => {
    const error = await failure(inner.chat({ messages: HELLO, signal: own }));
    ended = error.code;
    throw error;
  });
  const error = await failure(outer.chat({ messages: HELLO, signal: controller.signal }));
  expect([error.code, ended]).toEqual(['aborted', 'aborted']);
  await expect.poll(server.openConnections).toBe(0);
});

test.each(['onRetry', 'isRetryable', 'random', 'onAttempt'])(
  'a call that %s makes is no part of the call that it was told of',
  async (name) => {
    let made: Promise<ChatTurn> | undefined;
    let retries = 0;
    await using server = await startServer(({ url }, response) => {
      if (url === '/api/chat') sendJson(response, 200, { message: { content: 'other' }, done: true });
      else if (name !== 'onAttempt' && retries++ === 0) sendJson(response, 503, {});
      // Only then could the other call have become a part of this one.
      else void made?.then(() => sendJson(response, 200, { text: 'mine' }));
    });
    const other = new LocalHostProvider({ host: server.url, model: 'm' });
    const callback = (): unknown => {
      made ??= other.chat({ messages: HELLO });
      return name === 'random' ? 0 : true;
    };
    const provider = new ProbeProvider(`${server.url}/mine`, { retry: { ...fast, [name]: callback } });
    const options = name === 'onAttempt' ? { onAttempt: () => void callback() } : {};
    const turn = await provider.chat({ messages: HELLO, ...options });
    expect((await made)?.raw.content).toBe('other');
    expect(turn.raw.content).toBe('mine');
    expect(turn.ledger.map(({ status }) => status)).toEqual(name === 'onAttempt' ? [200] : [503, 200]);
    expect(turn.exchange.request.url).toBe(`${server.url}/mine`);
  },
);

test('pieces that a provider emits after its call has ended are not passed on', async () => {
  let emitLate: () => void = () => undefined;
  const outer = new Outer(async (provider) => {
    provider.emit({ content: 'in time' });
    emitLate = AsyncResource.bind(() => provider.emit({ content: 'too late' }));
    return { content: 'in time' };
  });
  // Another call in progress, without which no code finds its call any more.
  let end: () => void = () => undefined;
  const other = new Outer(() => new Promise((resolve) => (end = () => resolve({})))).chat({
    messages: HELLO,
  });
  const pieces: (string | undefined)[] = [];
  await outer.chat({ messages: HELLO, onDelta: ({ content }) => pieces.push(content) });
  emitLate();
  end();
  await other;
  expect(pieces).toEqual(['in time']);
});
