// Keeps the modules of custom providers to one file: the loader of Node is asked what they import, so that no spelling of
// it gets by. Process-wide, since Node knows no other way; every other module is passed on unseen.
import * as nodeModule from 'node:module';

/** In the address of each module that is kept to itself, behind `#`. */
const MARK = 'provider-playground-module-';

export const notSelfContained = (id: string | undefined): string =>
  `It loads ${id === undefined ? 'another module' : `“${id}”`}, but it has to be one file: bundle it. What Node has built in may be loaded.`;

/** Where an import was refused: the words of the refusal. */
const REFUSED = /It loads “[^]*”, but it has to be one file: .*/;

export const findRefusal = (error: Error): string | undefined => REFUSED.exec(error.message)?.[0];

type Resolve = (
  specifier: string,
  context: { parentURL?: string | undefined },
  next: (specifier: string, context: object) => unknown,
) => unknown;

/** Stands by itself: it may be sent to another thread as text. */
function createResolve(
  isBuiltin: (specifier: string) => boolean,
  mark: string,
  words: readonly string[],
): Resolve {
  return (specifier, context, next) => {
    if (!context.parentURL?.includes(mark) || isBuiltin(specifier)) return next(specifier, context);
    throw new Error(words.join(specifier));
  };
}

let isHooked = false;
let loads = 0;

/** @returns an address to import the text from, another one each time. */
export function toModuleAddress(text: string): string {
  if (!isHooked) hookLoader();
  isHooked = true;
  return `data:text/javascript;base64,${Buffer.from(text).toString('base64')}#${MARK}${loads++}`;
}

function hookLoader(): void {
  const words = notSelfContained('\0').split('\0');
  const { isBuiltin, registerHooks } = nodeModule as Partial<typeof nodeModule> & typeof nodeModule;
  if (typeof registerHooks === 'function') {
    registerHooks({ resolve: createResolve(isBuiltin, `#${MARK}`, words) as never });
    return;
  }
  // before Node 22.15 the loader is hooked in a thread of its own
  const given = [JSON.stringify(`#${MARK}`), JSON.stringify(words)].join(', ');
  const source = `import { isBuiltin } from 'node:module';
export const resolve = (${createResolve.toString()})(isBuiltin, ${given});`;
  nodeModule.register(`data:text/javascript,${encodeURIComponent(source)}`);
}
