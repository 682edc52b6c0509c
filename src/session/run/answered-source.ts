// Connections of which one answers with a reply that is known already, so that it is read as if it had just arrived. Sends
// nothing, needs no key.
import type { CatalogEntry } from '../../library';
import type { ConnectionView } from '../../protocol';
import type { ConnectionRequest, ConnectionSource, OpenConnection } from '../ports';

export interface KnownAnswer {
  /** The protocol of the reply, which need not be that of the connection. */
  entry: CatalogEntry;
  connectionId: string;
  /** Of the server, for people. */
  label: string;
  /** '' when the request named none. */
  model: string;
  /** Base address of the server that replied; undefined when it is not known. */
  host: string | undefined;
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Decoded. */
  body: string;
}

/** Headers of the connection over which the reply came; its body was stored decoded and whole. */
const OF_TRANSFER = /^(?:content-encoding|content-length|transfer-encoding|connection|keep-alive)$/i;

/** @param views Of the known connections. */
export function answeredBy(
  connections: ConnectionSource,
  views: readonly ConnectionView[],
  answer: KnownAnswer,
): ConnectionSource {
  return {
    ...connections,
    explain: (error, id) => connections.explain(error, id),
    open: ({ rescueToolCalls, raw }) =>
      Promise.resolve(openAnswered(views, answer, { rescueToolCalls, raw })),
  };
}

function openAnswered(
  views: readonly ConnectionView[],
  { entry, connectionId, label, model, host, status, headers, body }: KnownAnswer,
  { rescueToolCalls, raw }: Pick<ConnectionRequest, 'rescueToolCalls' | 'raw'>,
): OpenConnection {
  const view = views.find(({ id }) => id === connectionId);
  const fields = Object.entries(headers).filter(([name]) => !OF_TRANSFER.test(name));
  const provider = entry.create({
    host: host ?? entry.defaults.host ?? entry.address.example,
    model: model === '' ? '-' : model,
    auth: 'none',
    rescueToolCalls,
    raw,
    retry: { maxAttempts: 1 },
    network: { answer: { status, headers: Object.fromEntries(fields), body } },
  });
  const shown = {
    ...(view ?? { id: connectionId }),
    label,
    provider: entry.id,
    samplingKeys: entry.samplingKeys,
    ...(host !== undefined && { address: host }),
  };
  return {
    provider,
    view: shown as ConnectionView,
    model,
    gate: host === undefined ? connectionId : new URL(host).origin,
    secrets: [],
  };
}
