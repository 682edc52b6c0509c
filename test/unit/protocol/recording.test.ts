import { describe, expect, test } from 'vitest';
import type { HostFrame, RecordingHandlers } from '../../../src/protocol';
import { RecordingClient, RequestError, RpcServer } from '../../../src/protocol';

function join(handlers: Partial<RecordingHandlers>) {
  const server: RpcServer = new RpcServer({
    post: (frame: HostFrame) => queueMicrotask(() => client.receive(structuredClone(frame))),
    handlers: handlers as RecordingHandlers,
    toErrorInfo: (error) => ({ code: 'x', title: 't', what: String(error), why: 'y', next: 'n' }),
    onProblem: () => undefined,
  });
  const client: RecordingClient = new RecordingClient((frame) => {
    queueMicrotask(() => void server.receive(structuredClone(frame)));
  });
  return { client, server };
}

describe('RecordingClient', () => {
  test('reads rows, and the runs of chats with the requests of a playground', async () => {
    const row = { number: 7, startedAt: 0, program: 'curl/8.5.0', method: 'GET', path: '/v1/models' };
    const { client } = join({
      'recording/rows': ({ from }) => Promise.resolve([{ ...row, number: from }]),
      'wire/read': () => Promise.resolve({ attempts: [], copyForms: [] }),
    });
    expect(await client.ask('recording/rows', { from: 7 })).toEqual([row]);
    expect(await client.request('wire/read', { laneId: 'a', runId: 'b' })).toEqual({
      attempts: [],
      copyForms: [],
    });
  });

  test('is refused what the page has no use for', async () => {
    const { client } = join({});
    await expect(client.request('lane/remove', { laneId: 'a' })).rejects.toThrow(RequestError);
    await expect(client.ask('recording/rows', { from: 0 })).rejects.toThrow(RequestError);
  });

  test('is told of changes', async () => {
    const { client, server } = join({});
    const rows: unknown[] = [];
    client.on('recording/changed', (change) => rows.push(...change.rows));
    server.emit('recording/changed', {
      rows: [{ number: 1, startedAt: 0, program: '', method: 'GET', path: '/' }],
    });
    await expect.poll(() => rows).toHaveLength(1);
  });
});
