// Loads the engine when first needed, once.
import type * as engineModule from './engine';

export type Engine = typeof engineModule;

let engine: Promise<Engine> | undefined;

export function loadEngine(): Promise<Engine> {
  engine ??= import('./engine').catch((error: unknown) => {
    engine = undefined; // so that the next use tries again
    throw error;
  });
  return engine;
}

/** What is loaded, if anything is: for clean-up, which must not load it. */
export const loadedEngine = (): Promise<Engine> | undefined => engine;
