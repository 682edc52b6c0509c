// The sessions of a window, with the host's own connections and a store in a temporary folder.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiKeys } from '../../../../src/connections/keys/api-keys';
import type { Lease, PoolServices } from '../../../../src/host/playground/session-pool';
import { SessionPool } from '../../../../src/host/playground/session-pool';
import { closeConnections } from '../../../../src/library';
import type { RunEntry } from '../../../../src/protocol';
import type { TestServer } from '../../../support/servers/http-server';
import { startServer } from '../../../support/servers/http-server';
import { NO_ROWS, MemoryBacking } from '../../../support/session/scripted-session';
import { FakeSecrets, settings } from '../../../support/vscode/vscode-stub';
import { asOpened, connect } from '../../../support/connections/connect';

const lines: string[] = [];
const note = (line: string): void => void lines.push(line);
let runFolder: string;
let pool: SessionPool;
let server: TestServer | undefined;
let responses: ServerResponse[];

const openPool = (services: Partial<PoolServices> = {}): SessionPool => {
  const keys = new ApiKeys(new FakeSecrets());
  return new SessionPool({
    connections: asOpened(connect(keys), keys),
    log: { info: note, warn: note, error: note },
    onConnectionsChanged: () => () => undefined,
    runFolder,
    requestsLeaveFrom: 'this computer',
    onOpened: () => undefined,
    onSettingProblem: () => undefined,
    rowsFor: () => NO_ROWS,
    toolsFor: () => ({
      resolve: (reference) => Promise.resolve(`There is no tool ${reference}.`),
      invoke: () => Promise.reject(new Error('It was not confirmed.')),
      onDidChange: () => () => undefined,
    }),
    ...services,
  });
};

/** Starts a server that begins each reply and never completes it. @returns a playground with one lane on it */
async function startUnfinished(): Promise<MemoryBacking> {
  server = await startServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write(`${JSON.stringify({ message: { content: 'It was a dark' }, done: false })}\n`);
    responses.push(response);
  });
  settings.user = { connections: { holding: { provider: 'local-host', host: server.url } } };
  return toBacking('holding', 'file:/one');
}
const toBacking = (connection: string, id: string): MemoryBacking =>
  new MemoryBacking(JSON.stringify({ lanes: [{ id: 'a', connection, model: 'm' }] }), id);

const send = ({ session }: Lease): Promise<void> =>
  session.conversations.start(['a'], 'Is it cold?', { kind: 'chat' });
const arrived = ({ session }: Lease): string | undefined => session.progress('a')?.reply?.content;
const runOf = ({ session }: Lease): RunEntry | undefined =>
  session.laneSnapshot('a', undefined)?.entries.find((entry): entry is RunEntry => entry.kind === 'run');
const uri = (path: string) => ({ toString: () => path }) as never;
const sessionIds = async (): Promise<string[]> =>
  (await (await pool.store()).list()).map(({ sessionId }) => sessionId);
const files = (): string =>
  readdirSync(runFolder)
    .map((name) => readFileSync(join(runFolder, name), 'utf8'))
    .join('\n');

beforeEach(() => {
  lines.length = 0;
  responses = [];
  settings.user = {};
  runFolder = mkdtempSync(join(tmpdir(), 'pool-runs-'));
  pool = openPool();
});
afterEach(async () => {
  await pool.close();
  await server?.[Symbol.asyncDispose]();
  server = undefined;
  rmSync(runFolder, { recursive: true, force: true });
});
afterAll(() => closeConnections());

describe('SessionPool', () => {
  test('shares a session between two views of one playground, but not between playgrounds', async () => {
    const backing = toBacking('demo', 'file:/one');
    const [one, two] = await Promise.all([
      pool.acquire(backing),
      pool.acquire(toBacking('demo', 'file:/one')),
    ]);
    const other = await pool.acquire(toBacking('demo', 'file:/two'));
    expect(two.session).toBe(one.session);
    expect(other.session).not.toBe(one.session);
  });

  test('has one store, also for playgrounds that are opened at the same time', async () => {
    settings.user = { 'history.enabled': false };
    const [one, two] = await Promise.all([
      pool.acquire(toBacking('demo', 'file:/one')),
      pool.acquire(toBacking('demo', 'file:/two')),
    ]);
    await Promise.all([send(one), send(two)]);
    await expect.poll(() => runOf(one)?.outcome).toBeDefined();
    await expect.poll(() => runOf(two)?.outcome).toBeDefined();
    expect((await sessionIds()).toSorted()).toEqual(['file:/one', 'file:/two']);
    const [store, same] = await Promise.all([pool.store(), pool.store()]);
    expect(same).toBe(store);
  });

  test('closes a session only when its last view is released', async () => {
    const backing = await startUnfinished();
    const one = await pool.acquire(backing);
    const two = await pool.acquire(backing);
    await send(one);
    await expect.poll(() => arrived(two)).toBe('It was a dark');
    one.release();
    one.release();
    const three = await pool.acquire(backing);
    expect(three.session).toBe(two.session);
    expect(arrived(three)).toBe('It was a dark');
    two.release();
    three.release();
    await expect.poll(() => server?.openConnections()).toBe(0);
    expect((await pool.acquire(backing)).session).not.toBe(two.session);
  });

  test('reopens a session right after its last view was closed, with everything it had', async () => {
    const backing = await startUnfinished();
    const one = await pool.acquire(backing);
    await send(one);
    await expect.poll(() => arrived(one)).toBe('It was a dark');
    await one.session.conversations.setDraft('And tomorrow?');
    one.release();
    const two = await pool.acquire(backing);
    expect(runOf(two)?.outcome).toMatchObject({
      verdict: { kind: 'interrupted' },
      partial: { content: 'It was a dark' },
    });
    expect(two.session.documentSnapshot().draft).toBe('And tomorrow?');
  });

  test('aborts runs on close and stores what had arrived', async () => {
    const backing = await startUnfinished();
    const one = await pool.acquire(backing);
    await send(one);
    await expect.poll(() => arrived(one)).toBe('It was a dark');
    await pool.close();
    expect(files()).toContain('It was a dark');
    await expect.poll(() => server?.openConnections()).toBe(0);
    const again = await openPool().acquire(backing);
    expect(runOf(again)?.outcome?.verdict.kind).toBe('interrupted');
    await again.session.dispose();
    // Releasing views later does nothing.
    one.release();
  });

  test('waits on close for sessions that are being opened or closed', async () => {
    const backing = await startUnfinished();
    const one = await pool.acquire(backing);
    await send(one);
    await expect.poll(() => arrived(one)).toBe('It was a dark');
    one.release();
    const opening = pool.acquire(toBacking('demo', 'file:/two'));
    await pool.close();
    expect(files()).toContain('It was a dark');
    await opening;
  });

  test('opens a session again for the next view after a failure', async () => {
    let isBroken = true;
    const source = {
      resolve: () => Promise.resolve('None.'),
      invoke: () => Promise.reject(new Error('No.')),
      onDidChange: () => () => undefined,
    };
    pool = openPool({
      toolsFor: () => {
        if (isBroken) throw new Error('broken');
        return source;
      },
    });
    const backing = toBacking('demo', 'file:/one');
    await expect(pool.acquire(backing)).rejects.toThrow('broken');
    isBroken = false;
    expect((await pool.acquire(backing)).session.laneIds).toEqual(['a']);
  });

  test('copies runs, including those that are running', async () => {
    const one = await pool.acquire(await startUnfinished());
    await send(one);
    await expect.poll(() => arrived(one)).toBe('It was a dark');
    await pool.copyRuns('file:/one', 'file:/two');
    expect((await sessionIds()).toSorted()).toEqual(['file:/one', 'file:/two']);
    const copy = await pool.acquire(toBacking('holding', 'file:/two'));
    expect(runOf(copy)?.outcome?.partial?.content).toBe('It was a dark');
    expect(arrived(one)).toBe('It was a dark');
  });

  test('forgets the runs of a removed playground, whether it was open or not', async () => {
    const one = await pool.acquire(await startUnfinished());
    await send(one);
    await expect.poll(() => arrived(one)).toBe('It was a dark');
    await pool.copyRuns('file:/one', 'file:/two');
    await pool.forgetRuns('file:/one');
    expect(await sessionIds()).toEqual(['file:/two']);
    await expect.poll(() => server?.openConnections()).toBe(0);
    one.release();
    await pool.forgetRuns('file:/two');
    expect(await sessionIds()).toEqual([]);
  });

  test.each([
    ['a file', '/projects/one', '/projects/two', '/projects/two'],
    ['its folder', '/projects', '/other', '/other/one'],
  ])(
    'moves stored runs when %s is renamed, and aborts those that are running',
    async (_what, from, to, place) => {
      await startUnfinished();
      const one = await pool.acquire(toBacking('holding', 'file:/projects/one'));
      const beside = await pool.acquire(toBacking('holding', 'file:/projects-old/one'));
      await send(one);
      await expect.poll(() => arrived(one)).toBe('It was a dark');
      await pool.announceMove(uri(from), uri(to));
      expect(arrived(one)).toBe('It was a dark');
      expect(await sessionIds()).toEqual(['file:/projects/one']);
      // The editor of the new name may open before the rename is reported.
      const opening = pool.acquire(toBacking('holding', `file:${place}`));
      await pool.moveRuns(uri(from), uri(to));
      const moved = await opening;
      expect(runOf(moved)?.outcome).toMatchObject({
        verdict: { kind: 'interrupted' },
        partial: { content: 'It was a dark' },
      });
      expect(await sessionIds()).toEqual([`file:${place}`]);
      await expect.poll(() => server?.openConnections()).toBe(0);
      one.release();
      await beside.session.conversations.setDraft('still open');
    },
  );

  test('keeps the runs of both names when a rename fails', async () => {
    const one = await pool.acquire(await startUnfinished());
    await send(one);
    await expect.poll(() => arrived(one)).toBe('It was a dark');
    await pool.copyRuns('file:/one', 'file:/two');
    await pool.announceMove(uri('/one'), uri('/two'));
    expect((await sessionIds()).toSorted()).toEqual(['file:/one', 'file:/two']);
    expect(arrived(one)).toBe('It was a dark');
  });

  test('does not wait forever for an edit that is never applied', async () => {
    const backing = toBacking('demo', 'file:/one');
    const { session } = await pool.acquire(backing);
    backing.apply = () => new Promise(() => undefined);
    await session.conversations.setDraft('And tomorrow?');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const flushed = pool.flush('file:/one');
      await vi.advanceTimersByTimeAsync(2_000);
      await flushed;
      const closed = pool.close();
      await vi.advanceTimersByTimeAsync(1_000);
      await closed;
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([false, 'false', 0, null])(
    'writes nothing to disk with the history set to %j, but keeps runs for the window',
    async (enabled) => {
      const backing = await startUnfinished();
      settings.user = { ...settings.user, 'history.enabled': enabled };
      const one = await pool.acquire(backing);
      await send(one);
      await expect.poll(() => arrived(one)).toBe('It was a dark');
      one.release();
      expect(runOf(await pool.acquire(backing))?.outcome?.partial?.content).toBe('It was a dark');
      expect(readdirSync(runFolder)).toEqual([]);
    },
  );

  test('names each setting that counts as something else once, and nothing before the first playground', async () => {
    const named: string[] = [];
    settings.user = { 'history.enabled': 'false', 'history.maxRuns': '50', maxConcurrentRequests: 2 };
    pool = openPool({ onSettingProblem: ({ message }) => named.push(message) });
    pool.refreshLimits();
    expect(named).toEqual([]);
    await pool.acquire(toBacking('holding', 'file:/one'));
    const first = [
      'providerPlayground.history.enabled must be true or false. Until it is, runs are not stored on disk.',
      'providerPlayground.history.maxRuns must be a number in its range. Until it is, 2000 is used.',
    ];
    expect(named).toEqual(first);
    settings.user = { 'history.enabled': 'false', 'history.maxBytes': 100, maxConcurrentRequests: 2 };
    pool.refreshLimits();
    pool.refreshLimits();
    expect(named.slice(first.length)).toEqual([
      'providerPlayground.history.maxBytes must be a number in its range. Until it is, 1000000 is used.',
    ]);
  });

  test('also clears runs that were stored before the history was turned off', async () => {
    const backing = await startUnfinished();
    const one = await pool.acquire(backing);
    await send(one);
    await pool.close();
    expect(files()).toContain('Is it cold?');
    settings.user = { ...settings.user, 'history.enabled': false };
    pool = openPool();
    await pool.clearHistory();
    expect(files()).not.toContain('Is it cold?');
    expect(await sessionIds()).toEqual([]);
  });

  test.each([
    [1, 1],
    [2, 2],
    [0, 4],
    [-3, 4],
    ['many', 4],
    [null, 4],
    [undefined, 4],
  ])('limits concurrent requests to one origin, for the setting %o to %i', async (limit, expected) => {
    await startUnfinished();
    settings.user = { ...settings.user, maxConcurrentRequests: limit };
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const lanes = ids.map((id) => ({ id, connection: 'holding', model: 'm' }));
    const { session } = await pool.acquire(new MemoryBacking(JSON.stringify({ lanes }), 'file:/lanes'));
    await session.conversations.start(ids, 'Is it cold?', { kind: 'chat' });
    const queued = (): number =>
      ids.filter((id) => session.laneSnapshot(id, undefined)?.run?.phase === 'queued').length;
    await expect.poll(() => [responses.length, queued()]).toEqual([expected, ids.length - expected]);
    settings.user = { ...settings.user, maxConcurrentRequests: 5 };
    pool.refreshLimits();
    await expect.poll(() => [responses.length, queued()]).toEqual([5, 1]);
  });
});
