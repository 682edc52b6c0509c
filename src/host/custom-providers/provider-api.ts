// What `activate()` returns to other extensions. A registration is only kept; it loads nothing.
import * as vscode from 'vscode';
import type { ProviderPlaygroundApi, ProviderRegistration } from '../../connections';
import { loadEngine } from '../load-engine';

export class ProviderApi implements vscode.Disposable {
  readonly #registrations = new Set<ProviderRegistration>();
  readonly #changed = new vscode.EventEmitter<void>();

  readonly api: ProviderPlaygroundApi = Object.freeze({
    version: 1 as const,
    library: async () => (await loadEngine()).library,
    registerProvider: (registration: ProviderRegistration) => this.#register(registration),
  });

  readonly registrations = (): ProviderRegistration[] => [...this.#registrations];

  /** @returns a function that ends the subscription */
  readonly onDidRegister = (listener: () => void): (() => void) => {
    const subscription = this.#changed.event(listener);
    return () => subscription.dispose();
  };

  dispose(): void {
    this.#changed.dispose();
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
}
