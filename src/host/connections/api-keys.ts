// The API keys and the secret headers: only in VS Code's secret storage, each bound to a connection and to the origin it was
// given for. So a setting that changes the address of a connection cannot send one elsewhere.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';

const KEY = 'api-key:';
const HEADER = 'secret-header:';

/** Thrown when the secret storage does not keep what it is given. */
export class KeyStoreError extends Error {
  constructor(cause: unknown) {
    super(t('The key could not be kept: the secret storage of this machine does not work.'), { cause });
    this.name = 'KeyStoreError';
  }
}

/** By its name: each file that ships has a class of its own. */
export const isKeyStoreError = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.name === 'KeyStoreError';

/** Which secret of a connection: its key, or a header by its name, in whatever case. */
export type SecretKind = 'key' | { header: string };

/** One secret, without its value. */
export interface StoredSecret {
  connectionId: string;
  binding: string;
  kind: SecretKind;
}

/** What is known of a secret that was given. */
export interface GivenSecret {
  value: string;
  /** Milliseconds since the epoch. */
  givenAt?: number | undefined;
  /** Lost with the window: the storage did not keep it. */
  isSessionOnly: boolean;
}

export class ApiKeys implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #now: () => number;
  readonly #sessionOnly = new Map<string, { value: string; givenAt: number }>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  /** Fires in every window when a key is set or forgotten in one. */
  readonly onDidChange = this.#changed.event;

  constructor(secrets: vscode.SecretStorage, now: () => number = Date.now) {
    this.#secrets = secrets;
    this.#now = now;
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (isOurs(key)) this.#changed.fire();
    });
  }

  async get(connectionId: string, origin: string, kind: SecretKind = 'key'): Promise<string | undefined> {
    return (await this.find(connectionId, origin, kind))?.value;
  }

  async find(
    connectionId: string,
    origin: string,
    kind: SecretKind = 'key',
  ): Promise<GivenSecret | undefined> {
    const name = toName(connectionId, origin, kind);
    const ofSession = this.#sessionOnly.get(name);
    if (ofSession) return { ...ofSession, isSessionOnly: true };
    const stored = await this.#secrets.get(name);
    return stored === undefined ? undefined : { ...fromStored(stored), isSessionOnly: false };
  }

  /** Takes the place of one that was given before. @throws KeyStoreError when it is not there afterwards. */
  async set(connectionId: string, origin: string, value: string, kind: SecretKind = 'key'): Promise<void> {
    const name = toName(connectionId, origin, kind);
    await this.#store(name, { value, givenAt: this.#now() });
    // what the old one was allowed for is asked about anew
    const copies = (await this.list(connectionId)).filter(
      (stored) => isSameKind(stored.kind, kind) && stored.binding.startsWith(`${origin}#`),
    );
    for (const copy of copies) await this.#forgetName(toName(connectionId, copy.binding, kind));
  }

  async #store(name: string, secret: { value: string; givenAt?: number | undefined }): Promise<void> {
    const text = JSON.stringify(secret);
    try {
      await this.#secrets.store(name, text);
      // a missing keyring may be noticed only on reading
      if ((await this.#secrets.get(name)) !== text)
        throw new Error(t('the key was not there when it was read back'));
    } catch (error) {
      throw new KeyStoreError(error);
    }
    this.#sessionOnly.delete(name);
  }

  /** Lets the key that was given for the one binding be found under the other as well. @throws KeyStoreError */
  async allow(connectionId: string, from: string, to: string): Promise<void> {
    const key = await this.find(connectionId, from);
    if (!key) return;
    if (key.isSessionOnly) this.setForSession(connectionId, to, key.value);
    else await this.#store(toName(connectionId, to, 'key'), { value: key.value, givenAt: key.givenAt });
  }

  /** Until the window is closed or reloaded. */
  setForSession(connectionId: string, origin: string, value: string, kind: SecretKind = 'key'): void {
    this.#sessionOnly.set(toName(connectionId, origin, kind), { value, givenAt: this.#now() });
    this.#changed.fire();
  }

  /** Every secret, of one connection or of all, whether it still exists or not. */
  async list(connectionId?: string): Promise<StoredSecret[]> {
    const names = new Set([...(await this.#secrets.keys()), ...this.#sessionOnly.keys()]);
    return [...names]
      .filter(isOurs)
      .map(fromName)
      .filter((stored) => connectionId === undefined || stored.connectionId === connectionId)
      .toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
  }

  /** The names of the secret headers that go to an origin, in lower case. */
  async headerNames(connectionId: string, origin: string): Promise<string[]> {
    return (await this.list(connectionId)).flatMap(({ binding, kind }) =>
      kind !== 'key' && binding === origin ? [kind.header] : [],
    );
  }

  /** Forgets the secrets of a connection for every origin. @param kind Absent: all of them. @returns how many there were. */
  async forget(connectionId: string, kind?: SecretKind): Promise<number> {
    const found = (await this.list(connectionId)).filter(
      (stored) => kind === undefined || isSameKind(stored.kind, kind),
    );
    for (const stored of found) await this.#forgetName(toName(connectionId, stored.binding, stored.kind));
    this.#changed.fire();
    return found.length;
  }

  /** Those of connections that are gone too. @returns how many there were. */
  async forgetAll(): Promise<number> {
    const found = await this.list();
    for (const { connectionId, binding, kind } of found)
      await this.#forgetName(toName(connectionId, binding, kind));
    this.#changed.fire();
    return found.length;
  }

  async #forgetName(name: string): Promise<void> {
    this.#sessionOnly.delete(name);
    await this.#secrets.delete(name);
  }

  /** The ids of the connections that something is stored for, whether they still exist or not. */
  async storedFor(): Promise<string[]> {
    const ids = (await this.list()).map(({ connectionId }) => connectionId);
    return [...new Set(ids)].toSorted();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
    this.#sessionOnly.clear();
  }
}

const isOurs = (name: string): boolean => name.startsWith(KEY) || name.startsWith(HEADER);

/** A connection's id may hold any character, an origin and the name of a header no blank. */
function toName(connectionId: string, origin: string, kind: SecretKind): string {
  const place = `${JSON.stringify(connectionId)} ${origin}`;
  return kind === 'key' ? `${KEY}${place}` : `${HEADER}${place} ${kind.header.toLowerCase()}`;
}

function fromName(name: string): StoredSecret {
  const [, id = '""', binding = '', header] = /^[a-z-]+:(".*") (\S+)(?: (\S+))?$/s.exec(name) ?? [];
  const kind = header === undefined ? 'key' : { header };
  return { connectionId: String(JSON.parse(id)), binding, kind };
}

const sortKey = ({ connectionId, binding, kind }: StoredSecret): string =>
  JSON.stringify([connectionId, kind === 'key' ? '' : kind.header, binding]);

const isSameKind = (one: SecretKind, other: SecretKind): boolean =>
  one === 'key' || other === 'key' ? one === other : one.header.toLowerCase() === other.header.toLowerCase();

/** Whatever else stands there counts as a value of unknown age. */
function fromStored(text: string): { value: string; givenAt?: number | undefined } {
  try {
    const { value, givenAt } = JSON.parse(text) as Record<string, unknown>;
    if (typeof value === 'string') return { value, ...(typeof givenAt === 'number' && { givenAt }) };
  } catch {
    // no JSON
  }
  return { value: text };
}
