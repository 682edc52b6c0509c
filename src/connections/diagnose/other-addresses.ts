// Looks for other addresses and protocols at which the connection's server may answer; never sends a key.
import { t } from '@vscode/l10n';
import type { NetworkOptions } from '../../library';
import { PROVIDER_CATALOG } from '../../library';
import type { ServerInfo } from '../../types';
import { isKeyRefused } from '../is-key-refused';
import type { LocalServer } from '../local-servers';
import { localServersOf } from '../local-servers';
import { askWithoutModel, isNotSpoken } from '../spoken-protocols';
import type { Diagnosis } from './diagnosis';
import { quote } from './words';

type Candidate = Pick<LocalServer, 'provider' | 'host'>;

interface Ask {
  signal: AbortSignal;
  network?: NetworkOptions | undefined;
  /** Whether a server that asks for a key counts as found; it may be any kind of server. @default false */
  acceptsRefusal?: boolean;
}

const LIMIT_MS = 3_000;

/** @returns advice if a server answers at another address of this machine. */
export async function findElsewhere(
  { connection, place, signal }: Diagnosis,
  target: URL,
  attempted: readonly string[],
): Promise<string | undefined> {
  const { provider } = connection.setting;
  if (provider === 'custom') return undefined;
  const names = ['127.0.0.1', '[::1]', ...(place.isContainer || place.isWsl ? ['host.docker.internal'] : [])];
  const samePort = names.map((name) => ({ provider, host: withHostname(target, name) }));
  const isAttempted = ({ host }: Candidate): boolean => {
    const { hostname, port } = new URL(host);
    return port === target.port && attempted.includes(hostname.replace(/^\[(.*)\]$/, '$1'));
  };
  const usual: Candidate[] = localServersOf(PROVIDER_CATALOG);
  const candidates = [...samePort, ...usual].filter((candidate) => !isAttempted(candidate));
  const found = await findFirst(candidates, { signal });
  if (!found) return undefined;
  const { candidate, server } = found;
  const who = server?.product ? t('A server of {0}', quote(server.product)) : t('A server');
  const where = quote(candidate.host);
  const advice = adviseSetting(candidate, provider);
  return new URL(candidate.host).port === target.port
    ? t(
        '{0} answers at {1}: {2}, or let it listen on every address (Ollama: `OLLAMA_HOST=0.0.0.0`).',
        who,
        where,
        advice,
      )
    : t('{0} answers at {1}: {2}.', who, where, advice);
}

function withHostname({ protocol, port, pathname }: URL, name: string): string {
  return `${protocol}//${name}${port === '' ? '' : `:${port}`}${pathname === '/' ? '' : pathname}`;
}

/** @returns advice if the server answers to another protocol or path than the connection uses. */
export async function findOtherProtocol(
  { connection, connections, signal }: Diagnosis,
  host: string,
): Promise<string | undefined> {
  const { provider } = connection.setting;
  const { origin, pathname } = new URL(host);
  const all: Candidate[] = PROVIDER_CATALOG.map(({ id, address }) => ({
    provider: id,
    host: `${origin}${address.basePath}`,
  }));
  const isSame = (candidate: Candidate): boolean =>
    candidate.provider === provider && candidate.host === origin + pathname.replace(/\/+$/, '');
  // Candidates with the connection's own protocol come first.
  const candidates = all
    .filter((candidate) => !isSame(candidate))
    .toSorted((one) => (one.provider === provider ? -1 : 1));
  const network = connections.chooseNetwork(origin).options;
  const found = await findFirst(candidates, { signal, network, acceptsRefusal: true });
  return (
    found &&
    t(
      'The server answers at {0}: {1}.',
      quote(found.candidate.host),
      adviseSetting(found.candidate, provider),
    )
  );
}

function adviseSetting({ provider, host }: Candidate, before: string): string {
  return provider === before
    ? t('set `host` to {0}', quote(host))
    : t('set `host` to {0} and `provider` to `{1}`', quote(host), provider);
}

interface AnsweringServer {
  candidate: Candidate;
  /** Absent when the server asks for a key. */
  server?: ServerInfo | undefined;
}

/** Asks all candidates at once; the first of the list that answers counts. */
async function findFirst(candidates: readonly Candidate[], ask: Ask): Promise<AnsweringServer | undefined> {
  const answers = await Promise.all(candidates.map((candidate) => askAt(candidate, ask)));
  return answers.find((found) => found !== undefined);
}

async function askAt(
  candidate: Candidate,
  { signal, network, acceptsRefusal }: Ask,
): Promise<AnsweringServer | undefined> {
  const entry = PROVIDER_CATALOG.find(({ id }) => id === candidate.provider);
  try {
    const provider = entry?.create({
      host: candidate.host,
      model: '-',
      auth: 'none',
      retry: { maxAttempts: 1, timeoutMs: LIMIT_MS },
      ...(network && { network }),
    });
    const server = await provider?.describeServer({ signal });
    // Some servers answer every request with status 200.
    if (!provider || !server || server.models.length + Number(server.product !== undefined) === 0)
      return undefined;
    // Several protocols list their models at the same place.
    const isSpoken = !isNotSpoken(await askWithoutModel(provider, signal));
    return isSpoken ? { candidate, server } : undefined;
  } catch (error) {
    return acceptsRefusal && isKeyRefused(error) ? { candidate } : undefined;
  }
}
