// What is deleted with the runs of a recording: its requests that are no runs are listed nowhere.
import { beforeEach, expect, test } from 'vitest';
import type { ActionServices, RunNode } from '../../../../src/host/history-view/action-services';
import { deleteStoredNodes } from '../../../../src/host/history-view/change-runs';
import { MemoryRunStore } from '../../../../src/session';
import { person, resetPerson } from '../../../support/vscode/vscode-views';

const RECORDING = `recording:${crypto.randomUUID()}:Mine`;

let store: MemoryRunStore;

const nodeOf = (sessionId: string, runId: string): RunNode =>
  ({ kind: 'run', sessionId, run: { runId, at: 0, model: 'm', question: 'Hi' } }) as RunNode;

async function remove(sessionId: string, ...runIds: string[]): Promise<void> {
  const services = {
    pool: { store: () => Promise.resolve(store) },
    history: { runs: () => Promise.resolve(['one', 'two'].map((runId) => ({ runId }))) },
    recordings: { remove: (id: string) => store.remove(id) },
  } as unknown as ActionServices;
  person.replies.push('Delete');
  await deleteStoredNodes(services, {
    runs: runIds.map((runId) => nodeOf(sessionId, runId)),
    evaluations: [],
  });
}

async function keep(sessionId: string): Promise<void> {
  const journal = await store.open(sessionId);
  journal.append({ kind: 'exchange', id: 'models', row: { number: 1, path: '/v1/models' } });
  await journal.close();
}

const kept = async (): Promise<string[]> => (await store.list()).map(({ sessionId }) => sessionId);

beforeEach(() => {
  resetPerson();
  store = new MemoryRunStore();
});

test('a recording goes as a whole with the last of its runs', async () => {
  await keep(RECORDING);
  await remove(RECORDING, 'one');
  expect(await kept()).toEqual([RECORDING]);
  await remove(RECORDING, 'one', 'two');
  expect(await kept()).toEqual([]);
});

test('a playground stays, whatever is deleted of it', async () => {
  await keep('scratch:one');
  await remove('scratch:one', 'one', 'two');
  expect(await kept()).toEqual(['scratch:one']);
});
