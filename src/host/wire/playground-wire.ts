// Registers what went over the wire in runs as a read-only file system. The implementation is loaded on first use.
import * as vscode from 'vscode';
import type { Session } from '../../session';
import { RUN_SCHEME } from '../contributions';
import type { Unopened } from '../connections/window-connections';
import { Lazy } from '../lazy';
import { registerReadOnlyFiles } from '../read-only-files';
import type { WireHandlers } from './wire-methods';
import { WIRE_METHODS } from './wire-methods';
import type { WireServices } from './wire-services';
import type { WireOptions } from './wire-source';

export class PlaygroundWire implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #registration: vscode.Disposable;
  readonly #services: Lazy<WireServices>;

  constructor(options: Unopened<WireOptions>) {
    this.#services = new Lazy(async () => {
      const [{ openWireServices }, opened] = await Promise.all([
        import('./wire-services'),
        options.connections.get(),
      ]);
      return openWireServices({ ...options, ...opened });
    });
    this.#registration = registerReadOnlyFiles(RUN_SCHEME, {
      onDidChangeFile: this.#changed.event,
      open: () => this.services(),
    });
  }

  /** The services, loaded on first use. */
  services(): Promise<WireServices> {
    return this.#services.get();
  }

  /** Handlers for the page's requests about runs. */
  handlers(session: () => Promise<Session>): WireHandlers {
    const answers = WIRE_METHODS.map((method) => [
      method,
      async (params: never, signal: AbortSignal): Promise<unknown> =>
        (await this.services()).handlers(await session())[method](params, signal),
    ]);
    return Object.fromEntries(answers) as WireHandlers;
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
    void this.#services.loaded().then((services) => services?.dispose());
  }
}
