// What other people's code is handed of ours, made unchangeable: every connection runs on the same classes, so a method that
// was put in the place of ours would be given the keys of all. Knows no vscode.

/** A copy of a module's exports: it, what it holds, the classes and their prototypes are frozen. */
export function freezeExports<T extends object>(exports: T): Readonly<T> {
  const done = new Set<unknown>();
  for (const value of Object.values(exports)) freeze(value, done);
  return Object.freeze({ ...exports });
}

function freeze(value: unknown, done: Set<unknown>): void {
  const isObject = typeof value === 'object' && value !== null;
  if ((!isObject && typeof value !== 'function') || isOfLanguage(value) || done.has(value)) return;
  done.add(value);
  Object.freeze(value);
  for (const property of Object.values(Object.getOwnPropertyDescriptors(value)))
    for (const part of Object.values(property) as unknown[]) freeze(part, done);
  freeze(Object.getPrototypeOf(value), done);
}

const LANGUAGE = new Set<unknown>(
  Object.getOwnPropertyNames(globalThis).flatMap((name) => {
    const { value } = Object.getOwnPropertyDescriptor(globalThis, name) as { value?: unknown };
    return typeof value === 'function' ? [value, value.prototype as unknown] : [];
  }),
);

/** `Error.prototype` and its like belong to everybody. */
const isOfLanguage = (value: unknown): boolean =>
  LANGUAGE.has(value) || value === Object.getPrototypeOf(Function.prototype);
