// The engine does not import vscode, so it gets the translation when it is loaded.
import { expect, test, vi } from 'vitest';
import { loadEngine, translateEngine } from '../../../src/host/load-engine';

const translations = vi.hoisted(() => [] as unknown[]);
vi.mock('../../../src/host/engine', () => ({ translate: (texts: unknown) => translations.push(texts) }));

test('loadEngine passes VS Code’s translation to the engine, once', async () => {
  const contents = { 'Stop it first.': '⟦Stop it first.⟧' };
  translateEngine(contents);
  await loadEngine();
  await loadEngine();
  expect(translations).toEqual([{ contents }]);
});
