// The API keys: only in VS Code's secret storage, each bound to a connection and to the origin it was given for. So a
// setting that changes the address of a connection cannot send the key elsewhere.
import * as vscode from 'vscode';

const PREFIX = 'api-key:';

/** Thrown when the secret storage does not keep what it is given. */
export class KeyStoreError extends Error {
  constructor(cause: unknown) {
    super('The key could not be kept: the secret storage of this machine does not work.', { cause });
    this.name = 'KeyStoreError';
  }
}

export class ApiKeys implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #sessionOnly = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  /** Fires in every window when a key is set or forgotten in one. */
  readonly onDidChange = this.#changed.event;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (key.startsWith(PREFIX)) this.#changed.fire();
    });
  }

  async get(connectionId: string, origin: string): Promise<string | undefined> {
    const name = toName(connectionId, origin);
    return this.#sessionOnly.get(name) ?? (await this.#secrets.get(name));
  }

  /** @throws KeyStoreError when the key is not there afterwards. */
  async set(connectionId: string, origin: string, key: string): Promise<void> {
    const name = toName(connectionId, origin);
    try {
      await this.#secrets.store(name, key);
      // a missing keyring may be noticed only on reading
      if ((await this.#secrets.get(name)) !== key)
        throw new Error('the key was not there when it was read back');
    } catch (error) {
      throw new KeyStoreError(error);
    }
    this.#sessionOnly.delete(name);
  }

  /** Until the window is closed or reloaded. */
  setForSession(connectionId: string, origin: string, key: string): void {
    this.#sessionOnly.set(toName(connectionId, origin), key);
    this.#changed.fire();
  }

  /** Forgets the keys of a connection for every origin. @returns how many there were. */
  async forget(connectionId: string): Promise<number> {
    const prefix = toName(connectionId, '');
    const stored = (await this.#secrets.keys()).filter((name) => name.startsWith(prefix));
    const session = [...this.#sessionOnly.keys()].filter((name) => name.startsWith(prefix));
    for (const name of session) this.#sessionOnly.delete(name);
    for (const name of stored) await this.#secrets.delete(name);
    this.#changed.fire();
    return new Set([...stored, ...session]).size;
  }

  /** The ids of the connections that a key is stored for, whether they still exist or not. */
  async storedFor(): Promise<string[]> {
    const names = [...(await this.#secrets.keys()), ...this.#sessionOnly.keys()];
    const ids = names.filter((name) => name.startsWith(PREFIX)).map(toConnectionId);
    return [...new Set(ids)].toSorted();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
    this.#sessionOnly.clear();
  }
}

/** A connection's id may hold any character, an origin no blank. */
const toName = (connectionId: string, origin: string): string =>
  `${PREFIX}${JSON.stringify(connectionId)} ${origin}`;

const toConnectionId = (name: string): string =>
  String(JSON.parse(name.slice(PREFIX.length, name.lastIndexOf(' '))));
