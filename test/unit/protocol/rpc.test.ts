import { describe, expect, test, vi } from 'vitest';
import type { ClientFrame, HostFrame, RequestHandlers } from '../../../src/protocol';
import { RequestError, RpcClient, RpcServer } from '../../../src/protocol';

const INFO = { code: 'x', title: 't', what: 'w', why: 'y', next: 'n' };

/** Connects a client and a server as a webview and its host are: they receive copies, asynchronously. */
function join(handlers: Partial<RequestHandlers>) {
  const problems: string[] = [];
  const frames: ClientFrame[] = [];
  const server: RpcServer = new RpcServer({
    post: (frame: HostFrame) => queueMicrotask(() => client.receive(structuredClone(frame))),
    handlers: handlers as RequestHandlers,
    toErrorInfo: (error) => ({ ...INFO, what: String(error) }),
    onProblem: (problem) => problems.push(problem),
  });
  const client: RpcClient = new RpcClient((frame) => {
    frames.push(frame);
    queueMicrotask(() => void server.receive(structuredClone(frame)));
  });
  return { client, server, problems, frames };
}

describe('RpcClient and RpcServer', () => {
  test('answer a request with its result', async () => {
    const { client } = join({
      'connection/models': ({ connectionId }) => Promise.resolve({ models: [connectionId] }),
    });
    expect(await client.request('connection/models', { connectionId: 'a' })).toEqual({ models: ['a'] });
  });

  test('answer with an error whatever a handler throws', async () => {
    const { client } = join({ 'log/show': () => Promise.reject(new Error('broken')) });
    const error: unknown = await client.request('log/show', {}).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RequestError);
    expect((error as RequestError).info.what).toBe('Error: broken');
  });

  test('refuse a request whose parameters throw when they are checked', async () => {
    const replies: HostFrame[] = [];
    const problems: string[] = [];
    const server = new RpcServer({
      post: (frame) => replies.push(frame),
      handlers: {} as RequestHandlers,
      toErrorInfo: () => INFO,
      onProblem: (problem) => problems.push(problem),
    });
    const throwing = Object.defineProperty({}, 'connectionId', {
      enumerable: true,
      get: () => {
        throw new RangeError('Maximum call stack size exceeded');
      },
    });
    await server.receive({ kind: 'request', id: '1', method: 'connection/models', params: throwing });
    expect(replies).toMatchObject([{ id: '1', ok: false, error: { code: 'invalid-request' } }]);
    await server.receive(
      Object.defineProperty({ kind: 'request', id: '2' }, 'method', {
        enumerable: true,
        get: () => {
          throw new RangeError('Maximum call stack size exceeded');
        },
      }),
    );
    expect(replies).toMatchObject([{ id: '1' }, { id: '2', ok: false, error: { code: 'invalid-request' } }]);
    expect(problems).toHaveLength(2);
  });

  test.each([
    undefined,
    null,
    'text',
    7,
    [],
    {},
    { source: 'devtools' },
    { kind: 'other', id: '1', ok: true },
  ])('take no notice of a message that is no frame: %j', (message) => {
    const client = new RpcClient(() => undefined);
    expect(() => client.receive(message)).not.toThrow();
    expect(client.received).toBe(0);
  });

  test('wait for no reply to a request that cannot be posted', async () => {
    const client = new RpcClient((frame) => void structuredClone(frame));
    const params = { connectionId: (): string => 'a' } as unknown as { connectionId: string };
    await expect(client.request('connection/models', params)).rejects.toThrow('could not be cloned');
    expect(client.isWaiting).toBe(false);
  });

  test('answer with an error when a result cannot be posted', async () => {
    const replies: HostFrame[] = [];
    const server = new RpcServer({
      post: (frame: HostFrame) =>
        Promise.resolve(frame).then((sent) => replies.push(JSON.parse(JSON.stringify(sent)))),
      handlers: {
        'connection/models': () => Promise.resolve({ models: [7n] }),
      } as unknown as RequestHandlers,
      toErrorInfo: (error) => ({ ...INFO, what: String(error) }),
      onProblem: () => undefined,
    });
    const params = { connectionId: 'a' };
    await server.receive({ kind: 'request', id: '1', method: 'connection/models', params });
    expect(replies).toMatchObject([
      { id: '1', ok: false, error: { what: expect.stringContaining('serialize a BigInt') } },
    ]);
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
  ])('report a channel that %s as a problem and keep working', async (_, post) => {
    const problems: string[] = [];
    const onProblem = (problem: string): void => void problems.push(problem);
    const handlers = { 'log/show': () => Promise.resolve(null) } as unknown as RequestHandlers;
    const server = new RpcServer({ post, handlers, toErrorInfo: () => INFO, onProblem });
    server.emit('session/changed', { lanes: [] });
    await server.receive({ kind: 'request', id: '1', method: 'log/show', params: {} });
    expect(problems).toEqual([
      'a message could not be posted: event',
      'a message could not be posted: reply',
    ]);
  });

  test('refuse invalid parameters with their place and without their value', async () => {
    const { client, problems } = join({});
    const bad = { connectionId: 'secret-value', more: 'secret-value' } as { connectionId: string };
    const error = (await client
      .request('connection/models', bad)
      .catch((reason: unknown) => reason)) as RequestError;
    expect(error.info.code).toBe('invalid-request');
    expect(problems.join()).toContain('connection/models');
    expect(problems.join() + error.info.why).not.toContain('secret-value');
  });

  test.each([[null], ['text'], [{}], [{ kind: 'request' }], [{ kind: 'cancel' }]])(
    'drop and report a malformed frame: %o',
    async (frame) => {
      const { server, problems } = join({});
      await server.receive(frame);
      expect(problems).toHaveLength(1);
    },
  );

  test.each([
    [{ kind: 'request', id: '1' }],
    [{ kind: 'request', id: '1', method: 'log/show' }],
    [{ kind: 'request', id: '1', method: 7, params: {} }],
    [{ kind: 'request', id: '1', method: 'x'.repeat(101), params: {} }],
    [{ kind: 'request', id: '1', method: 'log/show', params: {}, more: 1 }],
  ])('refuse a malformed request under its id: %o', async (frame) => {
    const replies: HostFrame[] = [];
    const server = new RpcServer({
      post: (reply) => replies.push(reply),
      handlers: {} as RequestHandlers,
      toErrorInfo: () => INFO,
      onProblem: () => undefined,
    });
    await server.receive(frame);
    expect(replies).toMatchObject([
      { kind: 'reply', id: '1', ok: false, error: { code: 'invalid-request' } },
    ]);
  });

  test.each(['no/such', '', '__proto__', 'toString', 'constructor'])(
    'refuse and report a request with an unknown method: %s',
    async (method) => {
      const { client, problems } = join({});
      const error: unknown = await client
        .request(method as 'log/show', {})
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ info: { code: 'invalid-request', why: 'there is no such request' } });
      expect(problems).toEqual(['refused a request of an unknown method']);
    },
  );

  test('send a cancel frame on abort, which aborts the handler; its reply still settles the request', async () => {
    const { client, frames } = join({
      'log/show': (_, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(null))),
    });
    const controller = new AbortController();
    const reply = client.request('log/show', {}, { signal: controller.signal });
    controller.abort();
    expect(await reply).toBeNull();
    expect(frames.map(({ kind }) => kind)).toEqual(['request', 'cancel']);
  });

  test('ignore a reply to a request of an earlier page', async () => {
    const { client } = join({ 'log/show': () => new Promise(() => undefined) });
    const settled = vi.fn();
    void client.request('log/show', {}).then(settled, settled);
    client.receive({ kind: 'reply', id: '1', ok: true, result: null });
    client.receive({ kind: 'reply', id: 'other:1', ok: true, result: null });
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).not.toHaveBeenCalled();
  });

  test('deliver events to a listener until it unsubscribes', async () => {
    const { client, server } = join({});
    const seen: string[] = [];
    const stop = client.on('run/progress', ({ laneId }) => seen.push(laneId));
    const phase = { phase: 'reading', attempt: 1, maxAttempts: 3, since: 0, ledger: [] } as const;
    const progress = { ...phase, ledger: [], runId: 'r' };
    server.emit('run/progress', { laneId: 'a', progress });
    await Promise.resolve();
    stop();
    server.emit('run/progress', { laneId: 'b', progress });
    await Promise.resolve();
    expect(seen).toEqual(['a']);
  });

  test('send a reply even when the error of a failure cannot be built', async () => {
    const frames: HostFrame[] = [];
    const server = new RpcServer({
      post: (frame) => frames.push(frame),
      handlers: { 'log/show': () => Promise.reject(new Error('broken')) } as unknown as RequestHandlers,
      toErrorInfo: () => Promise.reject(new Error('broken too')),
      onProblem: () => undefined,
    });
    await server.receive({ kind: 'request', id: '1', method: 'log/show', params: {} });
    expect(frames).toMatchObject([{ kind: 'reply', id: '1', ok: false, error: { code: 'internal' } }]);
  });

  test('abort running handlers on dispose', async () => {
    const aborted = vi.fn();
    const { client, server } = join({
      'log/show': (_, signal) => new Promise(() => signal.addEventListener('abort', aborted)),
    });
    void client.request('log/show', {});
    await new Promise((resolve) => setImmediate(resolve));
    server.dispose();
    expect(aborted).toHaveBeenCalledOnce();
  });
});
