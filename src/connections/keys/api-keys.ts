// Stores API keys and secret headers in the secret storage only. Each is bound to a connection and to the
// origin it was given for, so changing a connection's address cannot send a secret elsewhere.
import { t } from '@vscode/l10n';
import { Listeners } from '../listeners';
import type { SecretStore } from '../ports';
import type { MarkPlaces } from './secret-marks';
import { SecretMarks } from './secret-marks';

const KEY = 'api-key:';
const HEADER = 'secret-header:';

/** Thrown when the secret storage does not keep a value. */
export class KeyStoreError extends Error {
  constructor(cause: unknown) {
    super(t('The key could not be kept: the secret storage of this machine does not work.'), { cause });
    this.name = 'KeyStoreError';
  }
}

/** Compares the name, because each bundled chunk has its own copy of the class. */
export const isKeyStoreError = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.name === 'KeyStoreError';

/** Kind of a secret: the key of a connection, or a header. Header names are case-insensitive. */
export type SecretKind = 'key' | { header: string };

/** A stored secret without its value. */
export interface StoredSecret {
  connectionId: string;
  binding: string;
  kind: SecretKind;
}

/** A secret with the circumstances in which it was given. */
export interface GivenSecret {
  value: string;
  /** Milliseconds since the epoch. */
  givenAt?: number | undefined;
  /** Whether the secret is lost when the window closes, because the storage did not keep it. */
  isSessionOnly: boolean;
}

/** What another window did with a secret of which this window has no value, or an outdated one. */
export type DoneElsewhere = 'given' | 'forgotten';

export class ApiKeys {
  readonly #secrets: SecretStore;
  readonly #now: () => number;
  readonly #sessionOnly = new Map<string, { value: string; givenAt: number }>();
  readonly #openedAt: number;
  readonly #marks: SecretMarks | undefined;
  readonly #changed = new Listeners();
  readonly #subscription: ReturnType<SecretStore['onDidChange']>;
  /** Calls back in every window when a key is set or forgotten in any of them. @returns a function that ends the subscription */
  readonly onDidChange = this.#changed.add;

  /** @param places Where the windows record their changes for each other; without it they do not. */
  constructor(secrets: SecretStore, now: () => number = Date.now, places?: MarkPlaces) {
    this.#secrets = secrets;
    this.#now = now;
    this.#openedAt = now();
    this.#marks = places && new SecretMarks(places, () => this.#changed.call());
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (isOurs(key)) this.#changed.call();
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
    const done = await this.#doneElsewhere(name);
    const stored = await this.#read(name);
    if (stored === undefined || done !== undefined) return undefined;
    const { value, givenAt } = fromStored(stored);
    return { value, ...(givenAt !== undefined && { givenAt }), isSessionOnly: false };
  }

  /** Why a secret is not found. @returns undefined when it is found, or none was ever given */
  async doneElsewhere(
    connectionId: string,
    origin: string,
    kind: SecretKind = 'key',
  ): Promise<DoneElsewhere | undefined> {
    return this.#doneElsewhere(toName(connectionId, origin, kind));
  }

  /** A value that the storage cannot read counts as absent: it can be given again, and blocks no other connection. */
  async #read(name: string): Promise<string | undefined> {
    try {
      return await this.#secrets.get(name);
    } catch {
      return undefined;
    }
  }

  async #doneElsewhere(name: string): Promise<DoneElsewhere | undefined> {
    const mark = await this.#marks?.read(name);
    if (!mark || this.#sessionOnly.has(name)) return undefined;
    const stored = await this.#read(name);
    const storedAt = stored === undefined ? undefined : fromStored(stored).storedAt;
    if (storedAt !== undefined && storedAt >= mark.at) return undefined;
    return mark.isForgotten ? 'forgotten' : 'given';
  }

  /** A number for the next change, greater than the last one even if the clock was set back. */
  async #nextChange(name: string): Promise<number> {
    const before = await this.#marks?.read(name);
    return Math.max(this.#now(), (before?.at ?? 0) + 1);
  }

  /** Stores a secret, replacing an earlier one. @throws KeyStoreError when it cannot be read back. */
  async set(connectionId: string, origin: string, value: string, kind: SecretKind = 'key'): Promise<void> {
    const name = toName(connectionId, origin, kind);
    await this.#store(name, { value, givenAt: this.#now() });
    // Permissions that were given for the old key have to be asked for again.
    const copies = (await this.list(connectionId)).filter(
      (stored) => isSameKind(stored.kind, kind) && stored.binding.startsWith(`${origin}#`),
    );
    for (const copy of copies) await this.#forgetName(toName(connectionId, copy.binding, kind));
  }

  async #store(name: string, secret: { value: string; givenAt?: number | undefined }): Promise<void> {
    const storedAt = await this.#nextChange(name);
    const text = JSON.stringify({ ...secret, storedAt });
    try {
      await this.#secrets.store(name, text);
      // A missing keyring may only become apparent when reading.
      if ((await this.#secrets.get(name)) !== text)
        throw new Error(t('the key was not there when it was read back'));
    } catch (error) {
      throw new KeyStoreError(error);
    }
    this.#sessionOnly.delete(name);
    await this.#marks?.write(name, { at: storedAt, isForgotten: false });
  }

  /** Makes the key of one binding available under another one, too. @throws KeyStoreError */
  async allow(connectionId: string, from: string, to: string): Promise<void> {
    const key = await this.find(connectionId, from);
    if (!key) return;
    if (key.isSessionOnly) this.setForSession(connectionId, to, key.value);
    else await this.#store(toName(connectionId, to, 'key'), { value: key.value, givenAt: key.givenAt });
  }

  /** Keeps the secret until the window is closed or reloaded. */
  setForSession(connectionId: string, origin: string, value: string, kind: SecretKind = 'key'): void {
    this.#sessionOnly.set(toName(connectionId, origin, kind), { value, givenAt: this.#now() });
    this.#changed.call();
  }

  /** All secrets, of one connection or of all, whether or not the connection still exists. */
  async list(connectionId?: string): Promise<StoredSecret[]> {
    const names = new Set([...(await this.#secrets.keys()), ...this.#sessionOnly.keys()]);
    const kept = [...names].filter(isOurs).map(async (name) => {
      const done = await this.#doneElsewhere(name);
      return done === 'forgotten' ? [] : [fromName(name)];
    });
    return (await Promise.all(kept))
      .flat()
      .filter((stored) => connectionId === undefined || stored.connectionId === connectionId)
      .toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
  }

  /** Names of the secret headers for an origin, in lower case. */
  async headerNames(connectionId: string, origin: string): Promise<string[]> {
    return (await this.list(connectionId)).flatMap(({ binding, kind }) =>
      kind !== 'key' && binding === origin ? [kind.header] : [],
    );
  }

  /** Whether another window was given a header of which this one, which was open already, knows nothing. */
  async hasNewHeaderElsewhere(connectionId: string, origin: string): Promise<boolean> {
    const known = await this.headerNames(connectionId, origin);
    const names = known.map((header) => toName(connectionId, origin, { header }));
    return (
      (await this.#marks?.hasOther(`${HEADER}${toPlace(connectionId, origin)}`, names, this.#openedAt)) ??
      false
    );
  }

  /**
   * Forgets the secrets of a connection for every origin. @param kind If absent, all kinds. @returns the number of
   * secrets.
   */
  async forget(connectionId: string, kind?: SecretKind): Promise<number> {
    const found = (await this.list(connectionId)).filter(
      (stored) => kind === undefined || isSameKind(stored.kind, kind),
    );
    for (const stored of found) await this.#forgetName(toName(connectionId, stored.binding, stored.kind));
    this.#changed.call();
    return found.length;
  }

  /** Forgets all secrets, including those of connections that no longer exist. @returns the number of secrets. */
  async forgetAll(): Promise<number> {
    const found = await this.list();
    for (const { connectionId, binding, kind } of found)
      await this.#forgetName(toName(connectionId, binding, kind));
    this.#changed.call();
    return found.length;
  }

  async #forgetName(name: string): Promise<void> {
    this.#sessionOnly.delete(name);
    await this.#secrets.delete(name);
    await this.#marks?.write(name, { at: await this.#nextChange(name), isForgotten: true });
  }

  /** Ids of the connections with stored secrets, whether or not they still exist. */
  async storedFor(): Promise<string[]> {
    const ids = (await this.list()).map(({ connectionId }) => connectionId);
    return [...new Set(ids)].toSorted();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#marks?.dispose();
    this.#changed.clear();
    this.#sessionOnly.clear();
  }
}

const isOurs = (name: string): boolean => name.startsWith(KEY) || name.startsWith(HEADER);

/** A connection id may contain any character, so it is quoted; an origin or header name contains no blank. */
const toPlace = (connectionId: string, origin: string): string => `${JSON.stringify(connectionId)} ${origin}`;

function toName(connectionId: string, origin: string, kind: SecretKind): string {
  const place = toPlace(connectionId, origin);
  return kind === 'key' ? `${KEY}${place}` : `${HEADER}${place} ${kind.header.toLowerCase()}`;
}

/** What the name of a stored secret says of it. */
export function fromName(name: string): StoredSecret {
  const [, id = '""', binding = '', header] = /^[a-z-]+:(".*") (\S+)(?: (\S+))?$/s.exec(name) ?? [];
  const kind = header === undefined ? 'key' : { header };
  return { connectionId: String(JSON.parse(id)), binding, kind };
}

const sortKey = ({ connectionId, binding, kind }: StoredSecret): string =>
  JSON.stringify([connectionId, kind === 'key' ? '' : kind.header, binding]);

const isSameKind = (one: SecretKind, other: SecretKind): boolean =>
  one === 'key' || other === 'key' ? one === other : one.header.toLowerCase() === other.header.toLowerCase();

interface StoredValue {
  value: string;
  givenAt?: number | undefined;
  /** The number of the change in its mark. */
  storedAt?: number | undefined;
}

/** Any other text counts as a value of unknown age. */
function fromStored(text: string): StoredValue {
  try {
    const { value, givenAt, storedAt } = JSON.parse(text) as Record<string, unknown>;
    if (typeof value === 'string') {
      return {
        value,
        ...(typeof givenAt === 'number' && { givenAt }),
        ...(typeof storedAt === 'number' && { storedAt }),
      };
    }
  } catch {
    // Not JSON.
  }
  return { value: text };
}
