// The demo: two built-in connections to one server in this process, which starts with their first request.
import type { DemoServer } from '../../demo';
import { startDemoServer } from '../../demo';
import type { Connection } from '../connection';
import type { Source } from './source';

export class DemoSource implements Source {
  #server: Promise<DemoServer> | undefined;

  readonly #connections: readonly Connection[] = [
    {
      id: 'demo',
      label: 'Demo (local protocol)',
      scope: 'built-in',
      builtIn: { gate: 'demo', host: async () => (await this.#start()).localHost },
      setting: { provider: 'local-host', model: 'first-look' },
    },
    {
      id: 'demo-hosted',
      label: 'Demo (hosted protocol)',
      scope: 'built-in',
      builtIn: { gate: 'demo', host: async () => (await this.#start()).hostedHost },
      setting: { provider: 'hosted-api', model: 'first-look', auth: 'none' },
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
