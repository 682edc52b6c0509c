// A secret storage in memory.
import { EventEmitter } from '../vscode/editor-settings';

/** A secret storage; with `isBroken` it loses what is stored, like a missing keyring. */
export class FakeSecrets {
  readonly stored = new Map<string, string>();
  readonly #changed = new EventEmitter<{ key: string }>();
  readonly onDidChange = this.#changed.event;
  isBroken = false;

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.stored.get(key));
  }

  store(key: string, value: string): Promise<void> {
    if (!this.isBroken) this.stored.set(key, value);
    this.#changed.fire({ key });
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    this.stored.delete(key);
    this.#changed.fire({ key });
    return Promise.resolve();
  }

  keys(): Promise<string[]> {
    return Promise.resolve([...this.stored.keys()]);
  }
}
