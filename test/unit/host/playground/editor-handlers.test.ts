// What a page may request from the editor itself: the lists of models, an undo. Providers are fakes.
import { describe, expect, test, vi } from 'vitest';
import { createEditorHandlers } from '../../../../src/host/playground/editor-handlers';
import { createRedactor } from '../../../../src/library';
import type { ModelList } from '../../../../src/protocol';
import { RefusalError } from '../../../../src/session';
import { openSession } from '../../../support/scripted-session';

/** Runs a command of the editor; replaced by tests. */
const editor = vi.hoisted(() => ({ run: (_command: string, _target?: unknown): unknown => undefined }));
vi.mock('vscode', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  commands: {
    executeCommand: (command: string, target?: unknown) => Promise.resolve(editor.run(command, target)),
  },
}));

type Listing = (options: { signal: AbortSignal }) => Promise<unknown>;

function readModels(
  listModels: Listing,
  { signal = new AbortController().signal, modelsTimeoutMs = 20, setting = {} } = {},
): Promise<ModelList> {
  const connections = {
    find: (id: string) => ({ id, label: 'Silent', setting }),
    makeProvider: () => Promise.resolve({ provider: { listModels }, secrets: [] }),
    redactor: () => Promise.resolve(createRedactor(['canary-0123456789'])),
  };
  const handlers = createEditorHandlers({
    services: { connections, wire: NO_WIRE },
    modelsTimeoutMs,
  } as unknown as Parameters<typeof createEditorHandlers>[0]);
  return handlers['connection/models']({ connectionId: 'silent' }, signal);
}

/** Requests about runs are handled elsewhere. */
const NO_WIRE = { handlers: () => ({}) };

/** Like a server that never answers. */
const silent: Listing = ({ signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

describe('connection/models', () => {
  test.each([
    ['a server that never answers', silent],
    ['code that ignores its signal', () => new Promise(() => undefined)],
  ])('ends after the time limit with an explained error for %s', async (_, listModels) => {
    const error: unknown = await readModels(listModels).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RefusalError);
    expect((error as RefusalError).info).toMatchObject({
      code: 'timeout',
      title: 'Silent took too long',
      what: 'The list of models was not received within 0.02 s.',
      next: expect.stringContaining('Type the name'),
    });
  });

  test('ends at once when the page aborts the request', async () => {
    const controller = new AbortController();
    const models = readModels(silent, { signal: controller.signal, modelsTimeoutMs: 1_000_000 });
    controller.abort(new Error('gone'));
    await expect(models).rejects.not.toBeInstanceOf(RefusalError);
  });

  test('passes on an error before the time limit', async () => {
    const failure = new Error('401');
    await expect(readModels(() => Promise.reject(failure))).rejects.toBe(failure);
  });

  test('truncates a list of 1.5 million names and returns the number left out', async () => {
    const names = Array.from({ length: 1_500_000 }, (_, index) => `model-${index}`);
    const { models, omitted } = await readModels(() => Promise.resolve(names));
    expect(models).toHaveLength(2_000);
    expect(omitted).toBe(1_498_000);
    expect(models[0]).toBe('model-0');
  });

  test('leaves out very long names, and values that are not names', async () => {
    const { models } = await readModels(() =>
      Promise.resolve(['x'.repeat(1_000_000), 'short', 7, null, undefined, { length: 3 }, ['a']]),
    );
    expect(models).toEqual(['short']);
  });

  test('redacts a key among the names', async () => {
    const { models } = await readModels(() => Promise.resolve(['for canary-0123456789']));
    expect(models).toEqual([`for ${'*'.repeat(17)}`]);
  });

  test('distinguishes models that can only embed', async () => {
    expect(await readModels(() => Promise.resolve(['qwen3:8b', 'nomic-embed-text']))).toEqual({
      models: ['qwen3:8b', 'nomic-embed-text'],
      chatModels: ['qwen3:8b'],
      embedModel: 'nomic-embed-text',
    });
    expect(await readModels(() => Promise.resolve(['qwen3:8b']))).toEqual({ models: ['qwen3:8b'] });
    expect(await readModels(() => Promise.resolve([]))).toEqual({ models: [] });
  });
});

describe('the suggested model for embeddings', () => {
  test('is that of the connection, otherwise the first with the name of an embedding model', async () => {
    const listing: Listing = () => Promise.resolve(['chat', 'nomic-embed-text']);
    expect((await readModels(listing)).embedModel).toBe('nomic-embed-text');
    expect((await readModels(listing, { setting: { embedModel: 'own' } })).embedModel).toBe('own');
  });
});

describe('connection/diagnose', () => {
  test('starts the diagnosis of the connection and model without waiting for its end', async () => {
    const run = vi.spyOn(editor, 'run').mockReturnValue(new Promise(() => undefined));
    const handlers = createEditorHandlers({
      services: { wire: NO_WIRE },
    } as unknown as Parameters<typeof createEditorHandlers>[0]);
    const { signal } = new AbortController();
    expect(await handlers['connection/diagnose']({ connectionId: 'own', model: 'm' }, signal)).toBeNull();
    const target = { kind: 'model', connectionId: 'own', model: { id: 'm' } };
    expect(run).toHaveBeenCalledWith('providerPlayground.diagnoseConnection', target);
    run.mockRestore();
  });
});

describe('document/undo', () => {
  test('applies pending edits first', async () => {
    const one = await openSession();
    const handlers = createEditorHandlers({
      services: { wire: NO_WIRE },
      session: () => Promise.resolve(one.session),
    } as unknown as Parameters<typeof createEditorHandlers>[0]);
    const texts: string[] = [];
    editor.run = (command) => void texts.push(`${command} of ${one.session.editable.document.system}`);
    const edits = [{ path: ['system'], value: 'typed' }];
    await one.ask('document/edit', { edits, gather: 'system' });
    await handlers['document/undo']({}, new AbortController().signal);
    expect(texts).toEqual(['undo of typed']);
    await one.session.dispose();
  });

  test('drops pending edits that are refused', async () => {
    const one = await openSession();
    const handlers = createEditorHandlers({
      services: { wire: NO_WIRE },
      session: () => Promise.resolve(one.session),
    } as unknown as Parameters<typeof createEditorHandlers>[0]);
    const run: string[] = [];
    editor.run = (command) => void run.push(command);
    await one.ask('document/edit', { edits: [{ path: [0], value: [] }], gather: 'system' });
    await handlers['document/undo']({}, new AbortController().signal);
    expect(run).toEqual(['undo']);
    await one.session.dispose();
  });
});
