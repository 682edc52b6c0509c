// Events and settings for the stand-ins of `vscode`. Mocks of that module cannot import each other, so they share
// this one.

type Listener<T> = (event: T) => void;

export class EventEmitter<T> {
  readonly #listeners = new Set<Listener<T>>();
  readonly event = (listener: Listener<T>): { dispose: () => void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  fire(event: T): void {
    for (const listener of this.#listeners) listener(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

type Values = Record<string, unknown>;

/** The settings by scope, as VS Code inspects them. */
export const settings: { user: Values; workspace: Values } = { user: {}, workspace: {} };

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null;

/** VS Code merges objects of all scopes key by key, at every level. */
function merge(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over === undefined ? base : over;
  const keys = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries([...keys].map((key) => [key, merge(base[key], over[key])]));
}

export const workspace = {
  isTrusted: true,
  getConfiguration: () => ({
    get: (name: string, fallback?: unknown) => {
      const value = merge(settings.user[name], workspace.isTrusted ? settings.workspace[name] : undefined);
      return value === undefined ? fallback : value;
    },
    inspect: (name: string) => ({
      globalValue: settings.user[name],
      workspaceValue: settings.workspace[name],
    }),
  }),
};
