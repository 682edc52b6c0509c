// Finds model servers on this computer at their usual ports. They are recognized by their replies, because any
// program may listen there. Never sends a key.
import { isKnownEmbedder } from '../inspect';
import type { CatalogEntry, KnownServer, Providers } from '../library';
import { PROVIDER_CATALOG } from '../library';
import type { ExchangeResponse, ModelInfo, ServerProduct } from '../types';
import { isKeyRefused } from './is-key-refused';
import { isLoopback, originOf } from './origin';
import { askWithoutModel, hostIn, isNotSpoken } from './spoken-protocols';

export interface LocalServer {
  product: ServerProduct;
  label: string;
  /** Id of its protocol in the catalog. */
  provider: string;
  host: string;
  auth?: KnownServer['auth'];
}

/** Those whose usual port and whose replies the catalog knows, in its order. */
export const localServersOf = (catalog: readonly CatalogEntry[]): LocalServer[] =>
  catalog.flatMap(({ id: provider, servers }) =>
    servers.flatMap(({ product, label, host, auth }) =>
      product ? [{ product, label, provider, host, ...(auth && { auth }) }] : [],
    ),
  );

export interface FoundServer extends LocalServer {
  /** Empty where the server needs a key. */
  models: ModelInfo[];
  /** It refused to answer without a key. */
  needsKey?: true;
}

/** A found server in another protocol than the one by which it was recognized. */
export interface SpokenProtocol extends FoundServer {
  /** Name of the protocol for people. */
  title: string;
}

/** By what each product is recognized that refuses a request without a key. Those that take no keys are not among them. */
const REFUSALS: Partial<Record<ServerProduct, (refusal: ExchangeResponse) => boolean>> = {
  'llama-server': ({ headers }) => headers['server'] === 'llama.cpp',
  'lm-studio': ({ body }) => /LM Studio API token/.test(body),
  vllm: ({ body }) => body === '{"error":"Unauthorized"}',
};

/** In milliseconds: a server on this machine answers at once or is not running. */
const LIMIT_MS = 2_000;

/** @param servers Servers to look for; one that does not answer, or answers as another product, is left out. */
export async function findLocalServers(
  servers: readonly LocalServer[],
  signal: AbortSignal,
): Promise<FoundServer[]> {
  const asked = await Promise.all(servers.map((server) => ask(server, signal)));
  return asked.filter((found) => found !== undefined);
}

const createAt = (entry: CatalogEntry, host: string): Providers =>
  entry.create({ host, model: '-', auth: 'none', retry: { maxAttempts: 1, timeoutMs: LIMIT_MS } });

async function ask(server: LocalServer, signal: AbortSignal): Promise<FoundServer | undefined> {
  const entry = PROVIDER_CATALOG.find(({ id }) => id === server.provider);
  try {
    const reported = await (entry && createAt(entry, server.host))?.describeServer({ signal });
    return reported?.product === server.product ? { ...server, models: reported.models } : undefined;
  } catch (error) {
    const refusal = isKeyRefused(error) ? error.exchange?.response : undefined;
    const isRecognized = refusal && REFUSALS[server.product]?.(refusal);
    return isRecognized ? { ...server, models: [], needsKey: true } : undefined;
  }
}

/** The same server in each other protocol that it speaks; none where it refuses to answer without a key. */
export async function findProtocols(server: FoundServer, signal: AbortSignal): Promise<SpokenProtocol[]> {
  const own = PROVIDER_CATALOG.find(({ id }) => id === server.provider);
  if (!own || server.needsKey) return [];
  const others = PROVIDER_CATALOG.filter((entry) => entry !== own);
  const asked = await Promise.all(
    others.map(async (entry): Promise<SpokenProtocol[]> => {
      const host = hostIn(entry, { own, host: server.host });
      const status = await askWithoutModel(createAt(entry, host), signal);
      if (status === undefined || isNotSpoken(status)) return [];
      const { product, label, models } = server;
      const auth = entry.auth.length > 0 ? ({ auth: 'none' } as const) : {};
      const { id: provider, title } = entry;
      return [{ product, label, models, provider, title, host, ...auth }];
    }),
  );
  return asked.flat();
}

/** Whether a connection already uses this server, under any name of this machine. */
export function isTaken({ host }: LocalServer, hosts: readonly (string | undefined)[]): boolean {
  const port = portOf(host);
  return hosts.some((other) => {
    const origin = originOf(other);
    return origin !== undefined && isLoopback(origin) && portOf(origin) === port;
  });
}

const portOf = (address: string): string => new URL(address).port;

/** The model that a lane starts with: a chat model, preferably one that is loaded in memory. */
export function pickModel(models: readonly ModelInfo[]): string | undefined {
  const chat = models.filter(({ id, capabilities }) =>
    capabilities ? !capabilities.includes('embedding') : !isKnownEmbedder(id),
  );
  return (chat.find(({ isRunning }) => isRunning) ?? chat[0])?.id;
}
