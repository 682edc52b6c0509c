// Loads the engine when first needed, once.
import type * as engineModule from './engine';

export type Engine = typeof engineModule;

let engine: Promise<Engine> | undefined;
let translation: Record<string, string> | undefined;

/** @param texts What VS Code has loaded, which the engine cannot ask for itself; undefined for English. */
export function translateEngine(texts: Record<string, string> | undefined): void {
  translation = texts;
}

export function loadEngine(): Promise<Engine> {
  engine ??= import('./engine').then(
    (loaded) => {
      if (translation) loaded.translate({ contents: translation });
      return loaded;
    },
    (error: unknown) => {
      engine = undefined; // so that the next use tries again
      throw error;
    },
  );
  return engine;
}

/** What is loaded, if anything is: for clean-up, which must not load it. */
export const loadedEngine = (): Promise<Engine> | undefined => engine;
