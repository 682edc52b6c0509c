// Freezes our exports before third-party code receives them. All connections run on the same classes, so code that
// replaced a method would receive every connection's key. Independent of vscode.

/** Copies a module's exports and freezes the copy, its values, the classes and their prototypes. */
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

/** Functions of each kind: what they inherit from is no property of the global object. */
const FUNCTIONS: readonly unknown[] = [() => {}, async () => {}, function* () {}, async function* () {}];

const LANGUAGE = new Set<unknown>([
  ...Object.getOwnPropertyNames(globalThis).flatMap((name) => {
    const { value } = Object.getOwnPropertyDescriptor(globalThis, name) as { value?: unknown };
    return typeof value === 'function' ? [value, value.prototype as unknown] : [];
  }),
  ...FUNCTIONS.flatMap((value) => {
    const kind = Object.getPrototypeOf(value) as { prototype?: unknown };
    return [kind, kind.prototype];
  }),
]);

/** What the language itself provides, such as `Error.prototype`, is shared by everyone and stays unfrozen. */
const isOfLanguage = (value: unknown): boolean => LANGUAGE.has(value);
