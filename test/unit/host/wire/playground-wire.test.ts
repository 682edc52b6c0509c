import { beforeEach, expect, test } from 'vitest';
import type * as vscode from 'vscode';
import { PlaygroundWire } from '../../../../src/host/wire/playground-wire';
import { MemoryRunStore } from '../../../../src/session';
import { openSession } from '../../../support/session/scripted-session';
import { editor, resetEditor, Uri } from '../../../support/vscode/vscode-files';

beforeEach(resetEditor);

const RECORD = {
  connectionId: 'c',
  model: 'm',
  tools: [],
  requests: [{ method: 'POST', url: 'http://h/', headers: {}, body: 'body' }],
  attempts: [{ name: 'attempt-1', request: 0 }],
  sampling: { lane: {}, connection: {}, keys: {}, sent: {}, dropped: [] },
};

test('a file is readable whether or not its playground is open, and read-only', async () => {
  const store = new MemoryRunStore();
  const { session } = await openSession({ store });
  const journal = await store.open(session.id);
  journal.append({ kind: 'wire', id: 'r1' }, { key: '+wire:r1', value: RECORD });
  await journal.close();
  let open: typeof session | undefined = session;
  const wire = new PlaygroundWire({
    pool: { find: () => open && Promise.resolve(open), store: () => Promise.resolve(store) },
    connections: { get: () => Promise.resolve({}) } as never,
    madeBy: 'a test',
  });
  const files = editor.providers.get('playground-run') as vscode.FileSystemProvider;
  const uri = Uri.from({
    scheme: 'playground-run',
    path: '/r1/attempt-1/request.http',
    query: session.id,
  }) as unknown as vscode.Uri;
  const read = async (): Promise<string> => new TextDecoder().decode(await files.readFile(uri));
  expect(await read()).toBe('POST http://h/ HTTP/1.1\n\nbody');
  open = undefined;
  await session.dispose();
  expect(await read()).toBe('POST http://h/ HTTP/1.1\n\nbody');
  expect(() => files.writeFile(uri, new Uint8Array(), { create: true, overwrite: true })).toThrow(
    expect.objectContaining({ code: 'NoPermissions' }),
  );
  expect(() => files.delete(uri, { recursive: true })).toThrow(
    expect.objectContaining({ code: 'NoPermissions' }),
  );
  wire.dispose();
});
