// Restricts the modules of custom providers to a single file: a loader hook of Node checks their imports, so that
// no way of writing one bypasses it. The hook is process-wide, as Node offers nothing else; imports of other
// modules are passed on unchanged.
import * as nodeModule from 'node:module';

/** Marks the URL of each restricted module, after `#`. */
const MARK = 'provider-playground-module-';

export const notSelfContained = (id: string | undefined): string =>
  `It loads ${id === undefined ? 'another module' : `“${id}”`}, but it has to be one file: bundle it. What Node has built in may be loaded.`;

/** Matches the refusal within an error message. */
const REFUSED = /It loads “[^]*”, but it has to be one file: .*/;

export const findRefusal = (error: Error): string | undefined => REFUSED.exec(error.message)?.[0];

type Resolve = (
  specifier: string,
  context: { parentURL?: string | undefined },
  next: (specifier: string, context: object) => unknown,
) => unknown;

/** Must not refer to anything outside itself: its source may be sent to another thread. */
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

/** @returns a URL from which the text can be imported, a different one each time. */
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
  // Before Node 22.15, loader hooks run in a thread of their own.
  const given = [JSON.stringify(`#${MARK}`), JSON.stringify(words)].join(', ');
  const source = `import { isBuiltin } from 'node:module';
export const resolve = (${createResolve.toString()})(isBuiltin, ${given});`;
  nodeModule.register(`data:text/javascript,${encodeURIComponent(source)}`);
}
