// The connections to third-party provider classes, from modules that the settings name and from other extensions.
// Loaded on demand. Independent of vscode: access to the editor is passed in.
import { t } from '@vscode/l10n';
import type { Connection } from '../connection';
import type { ProviderModule, ProviderRegistration } from './api';
import { describeError } from './describe-error';
import { withDistinctIds } from './distinct-connections';
import { ModuleError } from './evaluate-module';
import { loadConnections, loadModule, withLimit } from './load-connections';
import type { ModuleFile, ModuleReference } from './module-file';
import { locate, readModule } from './module-file';
import type { ClassOwner, ProviderTools } from './provided-connection';
import { toProblemConnection } from './provided-connection';

/** A path from the settings, or why it cannot be used. */
export type NamedModule = ModuleReference | { written: string; problem: string };

export interface Decision {
  sha256: string;
  isAllowed: boolean;
}

export interface CustomEnvironment extends ProviderTools {
  namedModules: () => readonly NamedModule[];
  /** The user's decisions by full path. */
  decisions: {
    /** @param sha256 What is asked about; a decision about other bytes only tells that the file has changed. */
    get: (path: string, sha256: string) => Decision | undefined;
    set: (path: string, decision: Decision | undefined) => PromiseLike<void>;
  };
  /** @returns whether the module may run; undefined when the user did not decide. */
  ask: (question: { path: string; sha256: string; hasChanged: boolean }) => PromiseLike<boolean | undefined>;
  watch: (path: string, onChange: () => void) => { dispose(): unknown };
  log: { info(line: string): void; warn(line: string): void };
  /** Reads a module. @default from disk */
  readModule?: typeof readModule;
  /** Time limit for reading files in milliseconds, which each list waits for. @default 2000 */
  readLimitMs?: number;
  /** Time limit for loading a module, in milliseconds. @default 10 000 */
  loadLimitMs?: number;
  /** How long a list waits for modules that are still loading, in milliseconds. @default 1000 */
  patienceMs?: number;
}

/**
 * `replaced` means that the file changed while the question was open or waiting, so that another question
 * supersedes it.
 */
type Answer = boolean | 'replaced' | undefined;

/** The connections of one module or registration, and the state that may still change them. */
interface Entry {
  /** Hash of the file that the entry was made from. */
  sha256?: string | undefined;
  connections: readonly Connection[];
  loading?: Promise<void> | undefined;
}

export class CustomConnections {
  readonly #environment: CustomEnvironment;
  readonly #modules = new Map<string, Entry>();
  readonly #registered = new Map<ProviderRegistration, Entry>();
  /** The open question, followed by those that wait for it. */
  #asking: Promise<unknown> = Promise.resolve();
  /** By full path: the hash that was last asked about. An answer about any other hash is ignored. */
  readonly #asked = new Map<string, { sha256: string; answer: Promise<Answer> }>();
  readonly #readings = new Map<string, Promise<ModuleFile>>();
  readonly #watchers = new Map<string, { dispose(): unknown }>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(environment: CustomEnvironment) {
    this.#environment = environment;
  }

  /** Reads the settings and files again; entries that have not changed are kept. Never rejects. */
  read(registrations: readonly ProviderRegistration[]): Promise<readonly Connection[]> {
    // Serialized, so that two panels do not ask twice.
    const reading = this.#queue.then(() => this.#read(registrations));
    this.#queue = reading.catch(() => undefined);
    return reading;
  }

  /** Forgets declined and loaded modules, so that the next `read` starts afresh. */
  async restart(): Promise<void> {
    const { decisions, namedModules } = this.#environment;
    for (const named of namedModules()) {
      const file = await this.#readFile(named);
      if ('sha256' in file && decisions.get(file.path, file.sha256)?.isAllowed === false)
        await decisions.set(file.path, undefined);
    }
    this.#modules.clear();
    this.#registered.clear();
  }

  dispose(): void {
    for (const watcher of this.#watchers.values()) watcher.dispose();
    this.#watchers.clear();
  }

  async #read(registrations: readonly ProviderRegistration[]): Promise<readonly Connection[]> {
    const named = this.#environment.namedModules();
    const paths = new Map(
      named.map((module) => ['problem' in module ? module.written : locate(module), module]),
    );
    keepOnly(this.#modules, new Set(paths.keys()));
    keepOnly(this.#registered, new Set(registrations));
    this.#watch([...paths].filter(([, module]) => !('problem' in module)).map(([path]) => path));
    // Reads all files at once, so that a file that hangs does not delay the others.
    const files = [...paths].map(async ([path, module]) => [path, await this.#readFile(module)] as const);
    for (const [path, file] of await Promise.all(files)) this.#updateModule(path, file);
    for (const registration of registrations) {
      if (!this.#registered.has(registration))
        this.#registered.set(registration, this.#register(registration));
    }
    const entries = [...this.#modules.values(), ...this.#registered.values()];
    await this.#waitFor(entries);
    return withDistinctIds(entries.flatMap(({ connections }) => connections));
  }

  /** Never rejects. */
  async #readFile(module: NamedModule): Promise<ModuleFile | { problem: string }> {
    if ('problem' in module) return module;
    const { readModule: read = readModule, readLimitMs = 2000 } = this.#environment;
    try {
      // A read that hangs occupies a thread, so the next list waits for the same read instead of starting another.
      const key = JSON.stringify(module);
      const reading = this.#readings.get(key) ?? read(module).finally(() => this.#readings.delete(key));
      this.#readings.set(key, reading);
      return await withLimit(reading, readLimitMs);
    } catch (error) {
      return { problem: error instanceof ModuleError ? error.message : describeError(error) };
    }
  }

  #updateModule(path: string, file: ModuleFile | { problem: string }): void {
    const { decisions, log } = this.#environment;
    if ('problem' in file) {
      const entry = this.#problemEntry(path, file.problem);
      // Logged once only: lists are made often, and the file is checked every time.
      if (this.#modules.get(path)?.connections[0]?.problem !== entry.connections[0]?.problem)
        log.warn(`${path}: ${file.problem}`);
      return void this.#modules.set(path, entry);
    }
    const { sha256 } = file;
    if (this.#modules.get(path)?.sha256 === sha256) return;
    const decision = decisions.get(file.path, sha256);
    const isDecided = decision?.sha256 === sha256;
    if (isDecided && decision.isAllowed) this.#modules.set(path, this.#load(file));
    else if (isDecided) this.#modules.set(path, { ...this.#problemEntry(file.path, declined()), sha256 });
    else this.#modules.set(path, this.#ask(path, file, decision?.isAllowed === true));
  }

  /** Does not wait for the answer, so that everything else stays usable. */
  #ask(path: string, { path: fullPath, sha256 }: ModuleFile, hasChanged: boolean): Entry {
    const { decisions, log, onChange } = this.#environment;
    const entry = { ...this.#problemEntry(fullPath, waiting()), sha256 };
    const settle = async (): Promise<void> => {
      const isAllowed = await this.#question({ path: fullPath, sha256, hasChanged });
      if (isAllowed === 'replaced') return;
      if (isAllowed === undefined) {
        entry.connections = this.#problemEntry(fullPath, leftOpen()).connections;
        return onChange();
      }
      log.info(`${fullPath}: ${isAllowed ? 'allowed' : 'declined'}, SHA-256 ${sha256}`);
      await decisions.set(fullPath, { sha256, isAllowed });
      // Read and hashed again, because the file may have changed while the question was open.
      if (this.#modules.get(path) === entry) this.#modules.delete(path);
      onChange();
    };
    settle().catch((error: unknown) => {
      log.warn(`${fullPath}: could not ask: ${describeError(error)}`);
      entry.connections = this.#problemEntry(fullPath, notAsked()).connections;
      onChange();
    });
    return entry;
  }

  /** Asks once about the same bytes, however often a list is made meanwhile; questions are asked one at a time. */
  #question(question: Parameters<CustomEnvironment['ask']>[0]): Promise<Answer> {
    const { path, sha256 } = question;
    const known = this.#asked.get(path);
    if (known?.sha256 === sha256) return known.answer;
    const isLatest = (): boolean => this.#asked.get(path)?.answer === answer;
    const ask = async (): Promise<Answer> => {
      if (!isLatest()) return 'replaced';
      const isAllowed = await this.#environment.ask(question);
      return isLatest() ? isAllowed : 'replaced';
    };
    const answer: Promise<Answer> = this.#asking.then(ask).finally(() => {
      if (isLatest()) this.#asked.delete(path);
    });
    this.#asked.set(path, { sha256, answer });
    this.#asking = answer.catch(() => undefined);
    return answer;
  }

  #load(file: ModuleFile): Entry {
    const owner = { scope: 'module', name: file.path, binding: `sha256:${file.sha256}` } as const;
    const entry = this.#start(owner, () => loadModule(file));
    entry.sha256 = file.sha256;
    return entry;
  }

  #register({ extensionId, providers }: ProviderRegistration): Entry {
    const owner = { scope: 'extension', name: extensionId, binding: 'extension' } as const;
    return this.#start(owner, () => Promise.resolve(providers));
  }

  #start(owner: ClassOwner, load: () => Promise<ProviderModule>): Entry {
    const entry: Entry = this.#problemEntry(owner.name, stillLoading(), owner.scope);
    const { log, loadLimitMs = 10_000 } = this.#environment;
    const finish = async (): Promise<void> => {
      try {
        entry.connections = await withLimit(loadConnections(owner, load, this.#environment), loadLimitMs);
      } catch (error) {
        const problem = error instanceof ModuleError ? error.message : describeError(error);
        log.warn(`${owner.name}: ${problem}`);
        const message = `${problem} ${NEXT[owner.scope]()}`;
        entry.connections = this.#problemEntry(owner.name, message, owner.scope).connections;
      }
      entry.loading = undefined;
    };
    entry.loading = finish();
    return entry;
  }

  #problemEntry(name: string, problem: string, scope: ClassOwner['scope'] = 'module'): Entry {
    return { connections: [toProblemConnection({ scope, name }, problem, this.#environment)] };
  }

  /** Waits for a limited time; `onChange` announces what is loaded later. */
  async #waitFor(entries: readonly Entry[]): Promise<void> {
    const { onChange, patienceMs = 1000 } = this.#environment;
    const loading = entries.flatMap((entry) => entry.loading ?? []);
    if (loading.length === 0) return;
    const all = Promise.all(loading);
    await withLimit(all, patienceMs).catch(() => void all.then(onChange));
  }

  #watch(paths: readonly string[]): void {
    for (const [path, watcher] of this.#watchers) {
      if (paths.includes(path)) continue;
      watcher.dispose();
      this.#watchers.delete(path);
    }
    const { onChange, watch } = this.#environment;
    for (const path of paths) {
      if (!this.#watchers.has(path)) this.#watchers.set(path, watch(path, onChange));
    }
  }
}

const declined = (): string =>
  t(
    'It was not run, because you declined it. To be asked again, run “Provider Playground: Load Custom Providers”.',
  );
const leftOpen = (): string =>
  t('It is not run until you allow it. To be asked again, run “Provider Playground: Load Custom Providers”.');
const waiting = (): string => t('It is not run until you have answered its confirmation.');
const notAsked = (): string =>
  t(
    'It was not run, because the confirmation could not be shown. To be asked again, run “Provider Playground: Load Custom Providers”.',
  );
const stillLoading = (): string => t('It is still being loaded.');
const NEXT = {
  module: () => t('Correct the file; an editor reads it again when it is saved.'),
  extension: () => t('Tell the author of the extension.'),
};

function keepOnly<K>(map: Map<K, unknown>, keys: ReadonlySet<K>): void {
  for (const key of map.keys()) if (!keys.has(key)) map.delete(key);
}
