// Playgrounds without a file. Their texts are saved automatically in the extension's storage folder, without a
// question. A scratch that was never changed and never ran leaves no file. Independent of panels.
import { t } from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import type { FSWatcher } from 'node:fs';
// Not `node:fs/promises`, which would be loaded in every window: this part of `node:fs` is loaded on first use.
import { promises as disk, watch } from 'node:fs';
import { basename, join } from 'node:path';
import type { DocumentBacking, TextEdit } from '../../../session';

const EXTENSION = '.playground.json';
const WRITE_DELAY_MS = 200;
/** In milliseconds, longer than any write takes: an older draft was left by a window that crashed while writing. */
const MAX_DRAFT_AGE_MS = 3_600_000;
const ID = /^[\w-]{1,64}$/;
const DRAFT = /^[\w-]+\.playground\.json\.[\w-]+\.new$/;

export interface ScratchInfo {
  id: string;
  text: string;
  modifiedAt: number;
}

/** Id under which the runs of a scratch are stored. */
export const scratchSessionId = (id: string): string => `scratch:${id}`;

export class Scratches {
  readonly #folder: string;
  readonly #onProblem: (problem: string) => void;
  /** Scratches in use or not written yet, by id: reopening one continues with its current text. */
  readonly #backings = new Map<string, ScratchBacking>();
  /** Number of current users of each scratch. */
  readonly #uses = new Map<ScratchBacking, number>();
  /** Set while a scratch is in use, because another window may change the same one. */
  #watcher: FSWatcher | undefined;

  constructor(folder: string, onProblem: (problem: string) => void) {
    this.#folder = folder;
    this.#onProblem = onProblem;
  }

  create(text = ''): ScratchBacking {
    const backing = this.#use(this.#toBacking(randomUUID(), ''));
    if (text !== '') void backing.apply([{ offset: 0, length: 0, text }]);
    return backing;
  }

  /** Like `create`, for a text that nobody wrote: it is removed with its panel unless it was changed or ran. */
  propose(text: string): ScratchBacking {
    const backing = this.create(text);
    backing.markUntouched();
    return backing;
  }

  /** @param id Saved by a panel; an invalid id opens a new scratch. */
  async open(id: string): Promise<ScratchBacking> {
    if (!ID.test(id)) return this.create();
    const text = await disk.readFile(this.#pathOf(id), 'utf8').catch(() => '');
    return this.#use(this.#backings.get(id) ?? this.#toBacking(id, text));
  }

  /**
   * Opens the scratch that was changed or ran last, or a new one.
   * @param except Ids of the scratches that are already shown.
   */
  async openLatest(except: ReadonlySet<string>): Promise<ScratchBacking> {
    const latest = (await this.list()).find(({ id }) => !except.has(id));
    return this.open(latest?.id ?? '');
  }

  /** Resolves when all texts are written or cannot be, including those of closed panels. */
  async flush(): Promise<void> {
    await Promise.all([...this.#backings.values()].map((backing) => backing.flush()));
  }

  /** Scratches that were changed or ran, latest first. */
  async list(): Promise<ScratchInfo[]> {
    const names = await disk.readdir(this.#folder).catch((): string[] => []);
    void this.#removeOldDrafts(names.filter((name) => DRAFT.test(name)));
    const infos = names
      .filter((name) => name.endsWith(EXTENSION) && ID.test(name.slice(0, -EXTENSION.length)))
      .map(async (name): Promise<ScratchInfo> => {
        const path = join(this.#folder, name);
        const [text, { mtimeMs }] = await Promise.all([disk.readFile(path, 'utf8'), disk.stat(path)]);
        return { id: name.slice(0, -EXTENSION.length), text, modifiedAt: mtimeMs };
      });
    const read = await Promise.allSettled(infos);
    return read
      .flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      .toSorted((one, other) => other.modifiedAt - one.modifiedAt);
  }

  async remove(id: string): Promise<void> {
    if (!ID.test(id)) return;
    const backing = this.#backings.get(id);
    this.#backings.delete(id);
    if (backing) this.#uses.delete(backing);
    this.#unwatchUnused();
    await backing?.discard();
    await disk.rm(this.#pathOf(id), { force: true });
  }

  /** Never rejects: a file that cannot be removed is tried again with the next list. */
  async #removeOldDrafts(names: readonly string[]): Promise<void> {
    const removed = names.map(async (name) => {
      const path = join(this.#folder, name);
      const { mtimeMs } = await disk.stat(path);
      if (Date.now() - mtimeMs > MAX_DRAFT_AGE_MS) await disk.rm(path);
    });
    await Promise.allSettled(removed);
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}${EXTENSION}`);
  }

  #use(backing: ScratchBacking): ScratchBacking {
    this.#watch();
    this.#uses.set(backing, (this.#uses.get(backing) ?? 0) + 1);
    return backing;
  }

  /** Ends a use; the scratch is kept in memory until its text is written. */
  async release(backing: ScratchBacking): Promise<void> {
    this.#uses.set(backing, (this.#uses.get(backing) ?? 0) - 1);
    await backing.flush();
    if ((this.#uses.get(backing) ?? 0) > 0 || !backing.isWritten) return;
    this.#uses.delete(backing);
    if (this.#backings.get(backing.scratchId) === backing) this.#backings.delete(backing.scratchId);
    this.#unwatchUnused();
  }

  /** Watches the folder. Nothing can be watched before the first write creates it. */
  #watch(): void {
    if (this.#watcher) return;
    try {
      this.#watcher = watch(this.#folder, { persistent: false }, (_event, name) => void this.#follow(name));
      this.#watcher.on('error', () => this.#unwatch());
    } catch {
      this.#watcher = undefined;
    }
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #unwatchUnused(): void {
    if (this.#uses.size === 0) this.#unwatch();
  }

  /** @param name Name of the changed file, if the system reports it. */
  async #follow(name: string | null): Promise<void> {
    for (const backing of this.#uses.keys()) {
      const path = this.#pathOf(backing.scratchId);
      if (name !== null && name !== basename(path)) continue;
      const before = backing.read();
      const text = await disk.readFile(path, 'utf8').catch(() => undefined);
      // The text that was read is outdated if this window changed it meanwhile.
      if (text !== undefined && backing.read() === before) backing.follow(text);
    }
  }

  #toBacking(id: string, text: string): ScratchBacking {
    const write = async (changed: string): Promise<boolean> => {
      const path = this.#pathOf(id);
      // Written to a new file and renamed, so that the file is never incomplete. Another window may write one, too.
      const draft = `${path}.${randomUUID()}.new`;
      try {
        await disk.mkdir(this.#folder, { recursive: true, mode: 0o700 });
        await disk.writeFile(draft, changed, { mode: 0o600 });
        await disk.rename(draft, path);
        if (this.#uses.size > 0) this.#watch();
        return true;
      } catch {
        await disk.rm(draft, { force: true }).catch(() => undefined);
        this.#onProblem(
          t(
            'A scratch could not be written to the storage folder; it is available only until the window closes.',
          ),
        );
        return false;
      }
    };
    const backing = new ScratchBacking(id, text, {
      write,
      onDispose: (disposed) => void this.release(disposed),
    });
    this.#backings.set(id, backing);
    return backing;
  }
}

interface ScratchServices {
  /** @returns whether the text was written. Never rejects. */
  write: (text: string) => Promise<boolean>;
  onDispose: (backing: ScratchBacking) => void;
}

export class ScratchBacking implements DocumentBacking {
  readonly id: string;
  readonly scratchId: string;
  readonly kind = 'scratch';
  readonly title = 'Playground';
  readonly readOnly = undefined;
  readonly #services: ScratchServices;
  readonly #listeners = new Set<() => void>();
  #text: string;
  /** The text on disk. */
  #writtenText: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #written: Promise<void> = Promise.resolve();
  #isDiscarded = false;
  #proposed: string | undefined;

  constructor(scratchId: string, text: string, services: ScratchServices) {
    this.scratchId = scratchId;
    this.id = scratchSessionId(scratchId);
    this.#text = text;
    this.#writtenText = text;
    this.#services = services;
  }

  get isWritten(): boolean {
    return this.#isDiscarded || this.#text === this.#writtenText;
  }

  /** Whether it still has only the text that it was proposed with, and never ran. */
  get isUntouched(): boolean {
    return this.#text === this.#proposed;
  }

  markUntouched(): void {
    this.#proposed = this.#text;
  }

  read(): string {
    return this.#text;
  }

  apply(edits: readonly TextEdit[]): Promise<boolean> {
    for (const { offset, length, text } of edits.toSorted((one, other) => other.offset - one.offset)) {
      this.#text = this.#text.slice(0, offset) + text + this.#text.slice(offset + length);
    }
    this.#writeSoon();
    for (const listener of this.#listeners) listener();
    return Promise.resolve(true);
  }

  /**
   * Writes the scratch even if its text was never changed, so that it can be found again; the latest is the one
   * kept last.
   */
  keep(): Promise<void> {
    this.#proposed = undefined;
    this.#writeSoon();
    return this.flush();
  }

  /** Adopts a text that another window has written, unless a change of this window still has to be written. */
  follow(text: string): void {
    if (this.#isDiscarded || !this.isWritten || text === this.#text) return;
    this.#text = text;
    this.#writtenText = text;
    for (const listener of this.#listeners) listener();
  }

  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose(): void {
    this.#listeners.clear();
    this.#services.onDispose(this);
  }

  /** Resolves when the text is written or cannot be. */
  flush(): Promise<void> {
    if (this.#timer) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#written = this.#written.then(() => this.#writeNow());
    }
    return this.#written;
  }

  #writeSoon(): void {
    if (!this.#isDiscarded) this.#timer ??= setTimeout(() => void this.flush(), WRITE_DELAY_MS);
  }

  async #writeNow(): Promise<void> {
    const text = this.#text;
    if (await this.#services.write(text)) this.#writtenText = text;
  }

  /** Stops writing; resolves when a write under way has finished. */
  discard(): Promise<void> {
    this.#isDiscarded = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#written;
  }
}
