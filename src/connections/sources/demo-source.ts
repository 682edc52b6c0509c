// The demo: two built-in connections to one server in this process, which starts with their first request.
import type { DemoServer } from '../../demo';
import { startDemoServer } from '../../demo';
import { HostedApiProvider, LocalHostProvider, PROVIDER_CATALOG } from '../../library';
import type { CatalogEntry } from '../../library';
import type { Connection } from '../connection';
import type { Source } from './source';

/** Id of the protocol in the catalog; the demo speaks these two. */
const protocolOf = (providerClass: CatalogEntry['providerClass']): string =>
  PROVIDER_CATALOG.find((entry) => entry.providerClass === providerClass)?.id ?? '';

export class DemoSource implements Source {
  #server: Promise<DemoServer> | undefined;

  readonly #connections: readonly Connection[] = [
    {
      id: 'demo',
      label: 'Demo (local protocol)',
      scope: 'built-in',
      builtIn: { gate: 'demo', host: async () => (await this.#start()).localHost },
      setting: { provider: protocolOf(LocalHostProvider), model: 'first-look' },
    },
    {
      id: 'demo-hosted',
      label: 'Demo (hosted protocol)',
      scope: 'built-in',
      builtIn: { gate: 'demo', host: async () => (await this.#start()).hostedHost },
      setting: { provider: protocolOf(HostedApiProvider), model: 'first-look', auth: 'none' },
    },
  ];

  list(): readonly Connection[] {
    return this.#connections;
  }

  async close(): Promise<void> {
    const server = await this.#server?.catch(() => undefined);
    await server?.close();
  }

  /** A server that could not start is tried again with the next request. */
  #start(): Promise<DemoServer> {
    this.#server ??= startDemoServer().catch((error: unknown) => {
      this.#server = undefined;
      throw error;
    });
    return this.#server;
  }
}
