// What a page may request from the editor itself: the lists of models, an undo. Providers are fakes.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEditorHandlers } from '../../../../src/host/playground/editor-handlers';
import { createRedactor } from '../../../../src/library';
import type { ModelList } from '../../../../src/protocol';
import { RefusalError } from '../../../../src/session';
import { MemoryBacking, openSession } from '../../../support/session/scripted-session';

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
    redactor: () => createRedactor(['canary-0123456789']),
  };
  const handlers = createEditorHandlers({
    services: { connections: { get: () => Promise.resolve({ connections }) }, wire: NO_WIRE },
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

describe('document/open-text', () => {
  test('opens the line, or that of what stands at a path', async () => {
    const opened: unknown[] = [];
    const session = { lineOf: (path: readonly unknown[]) => path.length + 10 };
    const handlers = createEditorHandlers({
      services: { wire: NO_WIRE },
      openText: (...at: unknown[]) => Promise.resolve(void opened.push(at)),
      session: () => Promise.resolve(session),
    } as unknown as Parameters<typeof createEditorHandlers>[0]);
    const { signal } = new AbortController();
    for (const at of [{ line: 4 }, { path: ['expect', 1] }, {}])
      await handlers['document/open-text'](at, signal);
    // Whoever comes from Evaluate and has to save the playground first finds it there again.
    expect(opened).toEqual([
      [4, undefined],
      [12, { kind: 'evaluation' }],
      [undefined, undefined],
    ]);
  });
});

describe('example/open', () => {
  test('opens the example by the command of the editor', async () => {
    const run = vi.spyOn(editor, 'run').mockResolvedValue(undefined);
    const handlers = createEditorHandlers({
      services: { wire: NO_WIRE },
    } as unknown as Parameters<typeof createEditorHandlers>[0]);
    await handlers['example/open']({ id: 'reliability' }, new AbortController().signal);
    expect(run).toHaveBeenCalledWith('providerPlayground.openExample', 'reliability');
  });
});

describe('request/open', () => {
  test('opens the text by the command of the editor, and does not wait for its dialogs', async () => {
    const run = vi.spyOn(editor, 'run').mockReturnValue(new Promise(() => undefined));
    const handlers = createEditorHandlers({
      services: { wire: NO_WIRE },
    } as unknown as Parameters<typeof createEditorHandlers>[0]);
    await handlers['request/open']({ text: 'curl x' }, new AbortController().signal);
    expect(run).toHaveBeenCalledWith('providerPlayground.openRequest', 'curl x');
  });
});

describe('run/open-lab', () => {
  test('opens the whole text of the reply in the format lab, with the tools that were offered', async () => {
    const given: unknown[] = [];
    const tool = { name: 'f', description: 'F', parameters: { type: 'object' } };
    const whole = {
      record: { model: 'm', turn: { raw: { content: 'The\r\ntext' } } },
      setup: { tools: [{ ...tool, offered: true, mocks: [{ ask: true }] }] },
    };
    const handlers = createEditorHandlers({
      services: { wire: NO_WIRE, lab: { openText: (text: unknown) => void given.push(text) } },
      session: () => Promise.resolve({ past: { whole: () => Promise.resolve(whole) } }),
    } as unknown as Parameters<typeof createEditorHandlers>[0]);
    await handlers['run/open-lab']({ laneId: 'a', runId: 'r' }, new AbortController().signal);
    expect(given).toEqual([
      { document: { version: 1, text: 'The\ntext', tools: [tool] }, from: 'a reply of m' },
    ]);
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

describe('an undo or a redo', () => {
  const toText = (value: object): string => JSON.stringify(value, null, 2);

  async function open(kind: 'file' | 'scratch', text = '{}') {
    const backing = new MemoryBacking(text);
    backing.kind = kind;
    const one = await openSession({ backing });
    onTestFinished(() => one.session.dispose());
    const handlers = createEditorHandlers({
      services: { wire: NO_WIRE },
      session: () => Promise.resolve(one.session),
    } as unknown as Parameters<typeof createEditorHandlers>[0]);
    const { signal } = new AbortController();
    const run: string[] = [];
    editor.run = (command) => void run.push(`${command} of ${one.session.editable.document.system}`);
    return {
      one,
      run,
      undo: () => handlers['document/undo']({}, signal),
      redo: () => handlers['document/redo']({}, signal),
    };
  }

  test('of a file is the editor’s, after pending edits were applied', async () => {
    const { one, run, undo, redo } = await open('file');
    await one.ask('document/edit', { edits: [{ path: ['system'], value: 'typed' }], gather: 'system' });
    await undo();
    await redo();
    expect(run).toEqual(['undo of typed', 'redo of typed']);
  });

  test('drops pending edits that are refused', async () => {
    const { one, run, undo } = await open('file');
    await one.ask('document/edit', { edits: [{ path: [0], value: [] }], gather: 'system' });
    await undo();
    expect(run).toEqual(['undo of ']);
  });

  test('of a scratch brings back a lane with its settings and its conversation', async () => {
    const lanes = [{ id: 'a' }, { id: 'b', sampling: { temperature: 0.5 } }];
    const { one, run, undo, redo } = await open('scratch', toText({ lanes }));
    await one.ask('run/start', { laneIds: ['a', 'b'], kind: 'chat', text: 'Is it cold?' });
    await one.settled();
    const entries = one.entries('b');
    expect(entries.map(({ kind }) => kind)).toEqual(['message', 'run']);
    await one.ask('lane/remove', { laneId: 'b' });
    await undo();
    expect(one.session.editable.document.lanes[1]).toMatchObject({ id: 'b', sampling: { temperature: 0.5 } });
    expect(one.entries('b')).toEqual(entries);
    await redo();
    expect(one.session.laneIds).toEqual(['a']);
    expect(run).toEqual([]);
  });

  test('of a scratch brings back a removed tool, and takes back what a remedy has set', async () => {
    const tool = { name: 'get_weather', parameters: { type: 'object' } };
    const { one, undo } = await open(
      'scratch',
      toText({ tools: [tool], lanes: [{ id: 'a' }], messages: [] }),
    );
    await one.ask('run/start', { laneIds: ['a'], kind: 'chat', text: 'Is it cold?' });
    await one.settled();
    const asked = one.backing.text;
    const place = { laneId: 'a', runId: one.runs()[0]?.id ?? '' };
    const remedy = { kind: 'sampling', key: 'numCtx', value: 4_096 } as const;
    await one.ask('remedy/apply', { ...place, remedy, isSentAgain: true });
    await one.settled();
    await one.ask('document/edit', { edits: [{ path: ['tools', 0] }] });
    await undo();
    expect(one.session.editable.toolViews()).toMatchObject([{ name: 'get_weather' }]);
    expect(one.backing.text).toContain('4096');
    await undo();
    expect(one.backing.text).toBe(asked);
    expect(one.runs().map(({ id }) => id)).not.toContain(place.runId);
    await undo();
    expect(one.runs().map(({ id }) => id)).toEqual([place.runId]);
    await expect(undo()).rejects.toThrow('There is nothing to undo.');
    expect(one.backing.text).toBe(asked);
  });

  test('of a scratch leaves what was sent, typed or running since', async () => {
    const { one, undo, redo } = await open(
      'scratch',
      toText({ messages: [], lanes: [{ id: 'a' }, { id: 'b' }] }),
    );
    await one.ask('lane/remove', { laneId: 'b' });
    await one.ask('run/start', { laneIds: ['a'], kind: 'chat', text: 'Is it cold?' });
    await one.ask('message/draft', { text: 'And tomorrow?' });
    await undo();
    expect(one.session.laneIds).toEqual(['a', 'b']);
    expect(one.session.editable.document.messages).toMatchObject([
      { content: 'Is it cold?' },
      { content: 'And tomorrow?' },
    ]);
    await one.settled();
    expect(one.runs()[0]?.outcome?.verdict.kind).not.toBe('stopped');
    expect(one.asked).toHaveLength(1);
    await redo();
    expect(one.session.laneIds).toEqual(['a']);
    await expect(redo()).rejects.toThrow('There is nothing to redo.');
  });

  test('of a scratch restores a cleared conversation once; a clear ends the steps before it', async () => {
    const { one, undo } = await open('scratch', toText({ messages: [], lanes: [{ id: 'a' }] }));
    await one.ask('document/edit', { edits: [{ path: ['system'], value: 'Be brief.' }] });
    await one.ask('run/start', { laneIds: ['a'], kind: 'chat', text: 'Is it cold?' });
    await one.settled();
    const before = { text: one.backing.text, entries: one.entries('a') };
    await one.ask('conversation/clear', {});
    expect(one.entries('a')).toEqual([]);
    await one.ask('document/edit', { edits: [{ path: ['lanes', 0, 'toolChoice'], value: 'none' }] });
    await undo();
    expect(one.entries('a')).toEqual([]);
    await undo();
    expect({ text: one.backing.text, entries: one.entries('a') }).toEqual(before);
    await expect(undo()).rejects.toThrow('There is nothing to undo.');
    expect(one.backing.text).toBe(before.text);
  });
});
