// What a page may ask of the editor itself: the lists of models. Providers are stand-ins.
import { describe, expect, test } from 'vitest';
import { createEditorHandlers } from '../../../../src/host/playground/editor-handlers';
import { createRedactor } from '../../../../src/library';
import type { ModelList } from '../../../../src/protocol';
import { RefusalError } from '../../../../src/session';

type Listing = (options: { signal: AbortSignal }) => Promise<unknown>;

function readModels(
  listModels: Listing,
  { signal = new AbortController().signal, modelsTimeoutMs = 20 } = {},
): Promise<ModelList> {
  const connections = {
    find: (id: string) => ({ id, label: 'Silent' }),
    makeProvider: () => Promise.resolve({ provider: { listModels }, secrets: [] }),
    redactor: () => Promise.resolve(createRedactor(['canary-0123456789'])),
  };
  const handlers = createEditorHandlers({
    services: { connections },
    modelsTimeoutMs,
  } as unknown as Parameters<typeof createEditorHandlers>[0]);
  return handlers['connection/models']({ connectionId: 'silent' }, signal);
}

/** As a server that says nothing. */
const silent: Listing = ({ signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

describe('connection/models', () => {
  test.each([
    ['a server that says nothing', silent],
    ['code that does not even look at its signal', () => new Promise(() => undefined)],
  ])('%s ends after the limit, with words', async (_, listModels) => {
    const error: unknown = await readModels(listModels).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RefusalError);
    expect((error as RefusalError).info).toMatchObject({
      code: 'timeout',
      title: 'Silent took too long',
      what: 'No list of models came within 0.02 s.',
      next: expect.stringContaining('Type the name'),
    });
  });

  test('a page that gives up ends it at once', async () => {
    const controller = new AbortController();
    const models = readModels(silent, { signal: controller.signal, modelsTimeoutMs: 1_000_000 });
    controller.abort(new Error('gone'));
    await expect(models).rejects.not.toBeInstanceOf(RefusalError);
  });

  test('a failure before the limit is told as it is', async () => {
    const failure = new Error('401');
    await expect(readModels(() => Promise.reject(failure))).rejects.toBe(failure);
  });

  test('a list of 1.5 million names is bounded', async () => {
    const names = Array.from({ length: 1_500_000 }, (_, index) => `model-${index}`);
    const { models } = await readModels(() => Promise.resolve(names));
    expect(models).toHaveLength(2_000);
    expect(models[0]).toBe('model-0');
  });

  test('a name as long as a book is left out, and so is what is no name', async () => {
    const { models } = await readModels(() =>
      Promise.resolve(['x'.repeat(1_000_000), 'short', 7, null, undefined, { length: 3 }, ['a']]),
    );
    expect(models).toEqual(['short']);
  });

  test('a key among the names is masked', async () => {
    const { models } = await readModels(() => Promise.resolve(['for canary-0123456789']));
    expect(models).toEqual([`for ${'*'.repeat(17)}`]);
  });

  test('tells models that only embed from the others', async () => {
    expect(await readModels(() => Promise.resolve(['qwen3:8b', 'nomic-embed-text']))).toEqual({
      models: ['qwen3:8b', 'nomic-embed-text'],
      chatModels: ['qwen3:8b'],
      embedModel: 'nomic-embed-text',
    });
    expect(await readModels(() => Promise.resolve(['qwen3:8b']))).toEqual({ models: ['qwen3:8b'] });
    expect(await readModels(() => Promise.resolve([]))).toEqual({ models: [] });
  });
});
