// The demo: a built-in connection for each protocol, to one server in this process, which starts with their first request.
import type { DemoServer } from '../../demo';
import { startDemoServer } from '../../demo';
import {
  HostedApiProvider,
  LocalHostProvider,
  MessagesApiProvider,
  PROVIDER_CATALOG,
  ResponsesApiProvider,
} from '../../library';
import type { CatalogEntry } from '../../library';
import type { Connection } from '../connection';
import type { Source } from './source';

/** In the order of the list. */
const PROTOCOLS = [
  { id: 'demo', label: 'Demo (local protocol)', providerClass: LocalHostProvider, host: 'localHost' },
  {
    id: 'demo-hosted',
    label: 'Demo (hosted protocol)',
    providerClass: HostedApiProvider,
    host: 'hostedHost',
  },
  {
    id: 'demo-messages',
    label: 'Demo (Messages protocol)',
    providerClass: MessagesApiProvider,
    host: 'localHost',
  },
  {
    id: 'demo-responses',
    label: 'Demo (Responses protocol)',
    providerClass: ResponsesApiProvider,
    host: 'hostedHost',
  },
] as const;

export class DemoSource implements Source {
  #server: Promise<DemoServer> | undefined;

  readonly #connections: readonly Connection[] = PROTOCOLS.map(
    ({ id, label, providerClass, host }): Connection => ({
      id,
      label,
      scope: 'built-in',
      builtIn: { gate: 'demo', host: async () => (await this.#start())[host] },
      setting: toSetting(providerClass),
    }),
  );

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

/** The demo takes no key. */
function toSetting(providerClass: CatalogEntry['providerClass']): Connection['setting'] {
  const entry = PROVIDER_CATALOG.find((candidate) => candidate.providerClass === providerClass);
  const sendsKey = entry !== undefined && entry.auth.length > 0;
  return { provider: entry?.id ?? '', model: 'first-look', ...(sendsKey && { auth: 'none' }) };
}
