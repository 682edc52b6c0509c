// The custom providers for the rest of the host. Loads nothing before a list of connections is needed, and then
// only if a module is named or an extension has registered.
import * as vscode from 'vscode';
import type {
  Connection,
  CustomConnections,
  ProviderPlaygroundApi,
  ProviderRegistration,
} from '../../connections';
import { CONFIGURATION, SETTINGS } from '../contributions';
import { loadEngine } from '../load-engine';
import type { LogSink } from '../../session';

export class CustomProviders implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #log: LogSink;
  readonly #registrations = new Set<ProviderRegistration>();
  readonly #changed = new vscode.EventEmitter<void>();
  #opened: Promise<CustomConnections> | undefined;
  #listed: readonly Connection[] = [];
  /** Fires when the list of connections may have changed. */
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento, log: LogSink) {
    this.#state = state;
    this.#log = log;
  }

  /** The result of the last `refresh`. */
  list(): readonly Connection[] {
    return this.#listed;
  }

  async refresh(): Promise<void> {
    if (!this.#opened && this.#registrations.size === 0 && !namesModules()) return;
    try {
      this.#opened ??= this.#open();
      this.#listed = await (await this.#opened).read([...this.#registrations]);
    } catch (error) {
      this.#close();
      this.#opened = undefined; // Lets the next list try again.
      this.#log.error(String(error instanceof Error ? error.stack : error));
    }
  }

  /** Asks again about declined modules and reloads everything. @returns whether there is anything to load. */
  async reload(): Promise<boolean> {
    await this.refresh();
    await (await this.#opened)?.restart();
    this.#changed.fire();
    return namesModules() || this.#registrations.size > 0;
  }

  /** The API that `activate()` returns to other extensions. */
  readonly api: ProviderPlaygroundApi = Object.freeze({
    version: 1 as const,
    library: async () => (await loadEngine()).library,
    registerProvider: (registration: ProviderRegistration) => this.#register(registration),
  });

  dispose(): void {
    this.#changed.dispose();
    this.#close();
  }

  /** Disposes the connections, which watch files. */
  #close(): void {
    void this.#opened?.then(
      (connections) => connections.dispose(),
      () => undefined,
    );
  }

  #register({ extensionId, providers }: ProviderRegistration): vscode.Disposable {
    const extension = typeof extensionId === 'string' && vscode.extensions.getExtension(extensionId);
    if (!extension)
      throw new TypeError('registerProvider: extensionId has to be the id of an installed extension');
    if (typeof providers !== 'function')
      throw new TypeError('registerProvider: providers has to be a function that returns provider classes');
    const registration = { extensionId: extension.id, providers };
    this.#registrations.add(registration);
    this.#changed.fire();
    return new vscode.Disposable(() => {
      if (this.#registrations.delete(registration)) this.#changed.fire();
    });
  }

  async #open(): Promise<CustomConnections> {
    const [{ openCustomConnections }, { readNetwork }, { library }] = await Promise.all([
      import('./custom-providers-chunk'),
      import('../network/network-settings'),
      loadEngine(),
    ]);
    const onChange = (): void => this.#changed.fire();
    return openCustomConnections({ library, readNetwork, onChange, log: this.#log, state: this.#state });
  }
}

/** A setting of another type names none, but its problem is listed. */
function namesModules(): boolean {
  const value: unknown = vscode.workspace.getConfiguration(CONFIGURATION).get(SETTINGS.customProviders);
  const isEmpty = value === undefined || value === null || (value as { length?: unknown }).length === 0;
  return !isEmpty;
}
