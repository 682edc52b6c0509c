// Loads the engine chunk once, when it is first needed.
import type * as engineModule from './engine';
import { Lazy } from './lazy';

export type Engine = typeof engineModule;

let translation: Record<string, string> | undefined;

const engine = new Lazy<Engine>(async () => {
  const loaded = await import('./engine');
  if (translation) loaded.translate({ contents: translation });
  return loaded;
});

/** @param texts The translation that VS Code has loaded, which the engine cannot read itself; undefined for English. */
export function translateEngine(texts: Record<string, string> | undefined): void {
  translation = texts;
}

export const loadEngine = (): Promise<Engine> => engine.get();

/** The engine if it has been loaded; for clean-up, which must not load it. */
export const loadedEngine = (): Promise<Engine | undefined> => engine.loaded();
