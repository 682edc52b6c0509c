// Records when each secret was last stored or forgotten, so that all windows of one user can compare. One file per
// secret; it contains nothing of the secret itself. Needed because VS Code in a browser reads the secrets once per window
// and does not report changes made in other windows.
import { createHash, randomUUID } from 'node:crypto';
import type { FSWatcher } from 'node:fs';
import { watch } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const STORE_ID = 'secretStore';

export interface SecretMark {
  /** Increases with each change of the secret; about milliseconds since the epoch. */
  at: number;
  isForgotten: boolean;
}

export interface MarkPlaces {
  /** Folder that all windows share whose extensions run on this machine. */
  folder: string;
  /** Stored beside the secrets: several computers may connect to this machine, each with secrets of its own. */
  state: {
    get: (key: string) => unknown;
    update: (key: string, value: string) => PromiseLike<void>;
  };
}

export class SecretMarks {
  readonly #folder: string;
  readonly #state: MarkPlaces['state'];
  readonly #onChange: () => void;
  /** The text that this window wrote last, by file name. */
  readonly #own = new Map<string, string>();
  #watcher: FSWatcher | undefined;

  /** @param onChange Called when another window has written a mark; only after this window has read or written one. */
  constructor({ folder, state }: MarkPlaces, onChange: () => void) {
    this.#folder = folder;
    this.#state = state;
    this.#onChange = onChange;
  }

  /** @returns undefined when no change of the secret is recorded, or the record is damaged */
  async read(name: string): Promise<SecretMark | undefined> {
    await this.#watch();
    const store = this.#store;
    return store === undefined ? undefined : this.#readMark(toFile(store, name));
  }

  /**
   * Whether a secret of the group was given after a moment, other than these.
   * @param group What the names of its secrets have before their last blank.
   */
  async hasOther(group: string, names: readonly string[], since: number): Promise<boolean> {
    const store = this.#store;
    if (store === undefined) return false;
    const known = new Set(names.map((name) => toFile(store, name)));
    const files = await readdir(this.#folder).catch((): string[] => []);
    const others = files.filter((file) => file.startsWith(toPrefix(store, group)) && !known.has(file));
    const marks = await Promise.all(others.map((file) => this.#readMark(file)));
    return marks.some((mark) => mark && !mark.isForgotten && mark.at > since);
  }

  /** If the mark cannot be written, as on a full disk, other windows learn of the change when they are reloaded. */
  async write(name: string, mark: SecretMark): Promise<void> {
    await this.#watch();
    const file = toFile(await this.#openStore(), name);
    const text = JSON.stringify(mark);
    this.#own.set(file, text);
    const draft = join(this.#folder, `${randomUUID()}.draft`);
    // Renamed into place, because another window may be reading the file.
    await writeFile(draft, text)
      .then(() => rename(draft, join(this.#folder, file)))
      .catch(() => undefined);
  }

  dispose(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  get #store(): string | undefined {
    const id = this.#state.get(STORE_ID);
    return typeof id === 'string' ? id : undefined;
  }

  async #openStore(): Promise<string> {
    if (this.#store !== undefined) return this.#store;
    const id = randomUUID();
    await this.#state.update(STORE_ID, id);
    return id;
  }

  async #watch(): Promise<void> {
    if (this.#watcher) return;
    try {
      await mkdir(this.#folder, { recursive: true });
      this.#watcher ??= watch(this.#folder, { persistent: false }, (_event, file) => void this.#follow(file));
      this.#watcher.on('error', () => this.dispose());
    } catch {
      // Some file systems do not report changes; marks are still read before each use.
    }
  }

  /** @param file Name of the changed file; null when the system does not report it. */
  async #follow(file: string | null): Promise<void> {
    if (file?.endsWith('.draft')) return;
    const text = file === null ? undefined : await this.#readFile(file).catch(() => undefined);
    if (file === null || text !== this.#own.get(file)) this.#onChange();
  }

  async #readMark(file: string): Promise<SecretMark | undefined> {
    try {
      const mark: unknown = JSON.parse(await this.#readFile(file));
      return isMark(mark) ? mark : undefined;
    } catch {
      return undefined;
    }
  }

  #readFile(file: string): Promise<string> {
    return readFile(join(this.#folder, file), 'utf8');
  }
}

/** A file could be damaged; a mark without a number would lock its secret. */
function isMark(value: unknown): value is SecretMark {
  if (typeof value !== 'object' || value === null) return false;
  const { at, isForgotten } = value as Partial<SecretMark>;
  return Number.isFinite(at) && typeof isForgotten === 'boolean';
}

/** Hashed, because the name of a secret contains an address, which must not be disclosed and is no valid file name. */
const toHash = (store: string, text: string): string =>
  createHash('sha256').update(`${store} ${text}`).digest('hex').slice(0, 32);

const toPrefix = (store: string, group: string): string => `${toHash(store, group)}-`;
const toFile = (store: string, name: string): string =>
  toPrefix(store, name.slice(0, name.lastIndexOf(' '))) + toHash(store, name);
