// The provider classes of modules and of other programs, as a source of connections. Loads nothing before a list is needed,
// and then only if a module is named or something is registered.
import type { LogSink } from '../../session';
import type { Connection } from '../connection';
import type { CustomConnections } from '../custom-providers/custom-connections';
import type { ProviderTools } from '../custom-providers/provided-connection';
import { Listeners } from '../listeners';
import type { CustomCode, Settings } from '../ports';
import type { Source } from './source';

export interface CustomParts extends Omit<ProviderTools, 'onChange'> {
  settings: Settings;
  custom: CustomCode;
  log: LogSink;
}

export class CustomSource implements Source {
  readonly #parts: CustomParts;
  readonly #changed = new Listeners();
  readonly #endRegistrations: () => void;
  #opened: Promise<CustomConnections> | undefined;
  #listed: readonly Connection[] = [];
  readonly onDidChange = this.#changed.add;

  constructor(parts: CustomParts) {
    this.#parts = parts;
    this.#endRegistrations = parts.custom.onDidRegister(() => this.#changed.call());
  }

  /** The result of the last `refresh`. */
  list(): readonly Connection[] {
    return this.#listed;
  }

  async refresh(): Promise<void> {
    if (!this.#opened && !this.#isNeeded()) return;
    const { custom, log } = this.#parts;
    try {
      this.#opened ??= this.#open();
      this.#listed = await (await this.#opened).read(custom.registrations());
    } catch (error) {
      this.#closeOpened();
      this.#opened = undefined; // Lets the next list try again.
      log.error(String(error instanceof Error ? error.stack : error));
    }
  }

  /** Asks again about declined modules and reloads everything. */
  async reload(): Promise<boolean> {
    await this.refresh();
    await (await this.#opened)?.restart();
    this.#changed.call();
    return this.#isNeeded();
  }

  close(): void {
    this.#endRegistrations();
    this.#changed.clear();
    this.#closeOpened();
  }

  /** Disposes the connections, which watch files. */
  #closeOpened(): void {
    void this.#opened?.then(
      (connections) => connections.dispose(),
      () => undefined,
    );
  }

  #open(): Promise<CustomConnections> {
    const { custom, library, readNetwork, log } = this.#parts;
    return custom.open({ library, readNetwork, log, onChange: () => this.#changed.call() });
  }

  /** A setting of another type names no module, but its problem is listed. */
  #isNeeded(): boolean {
    const { merged } = this.#parts.settings.read('customProviders');
    const isEmpty = merged === undefined || merged === null || (merged as { length?: unknown }).length === 0;
    return !isEmpty || this.#parts.custom.registrations().length > 0;
  }
}
