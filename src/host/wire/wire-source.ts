// Sources of the wire services: open playgrounds, the history, and the server itself.
import { t } from '@vscode/l10n';
import type { Providers } from '../../library';
import type { ExportedRun } from '../../inspect';
import type { WireRecord } from '../../session';
import type { ModelInfo } from '../../types';
import { loadEngine } from '../load-engine';
import { withJournal } from '../with-journal';
import type { ConnectionService } from '../../connections';
import type { SessionPool } from '../playground/session-pool';

/** Timeout in milliseconds for the description of a server. */
const SERVER_TIMEOUT_MS = 5_000;

export interface WireOptions {
  pool: Pick<SessionPool, 'find' | 'store'>;
  connections: Pick<ConnectionService, 'find' | 'makeProvider' | 'redactor'>;
  /** Such as `Provider Playground 0.1.0`. */
  madeBy: string;
}

export interface WireSource {
  /** @returns undefined when there is no such run or it is no longer stored. */
  read: (sessionId: string, runId: string) => Promise<WireRecord | undefined>;
  /** Reads the complete run. @returns undefined in the same cases. */
  exported: (sessionId: string, runId: string) => Promise<ExportedRun | undefined>;
  /** Such as `Provider Playground 0.1.0`. */
  madeBy: string;
  /** Asks the server. @returns such as `ollama 0.32.1`; undefined when it gives no description. Never rejects. */
  describeServer: (connectionId: string) => Promise<string | undefined>;
  /** Asks the server. @returns undefined when it gives no description. Never rejects. */
  describeModel: (connectionId: string, model: string) => Promise<ModelInfo | undefined>;
}

export const toWireSource = ({ pool, connections, madeBy }: WireOptions): WireSource => ({
  madeBy,
  read: (sessionId, runId) => read(pool, sessionId, runId),
  exported: (sessionId, runId) => exported(pool, sessionId, runId),
  describeServer: (connectionId) => describeServer(connections, connectionId),
  describeModel: (connectionId, model) => describeModel(connections, connectionId, model),
});

/** Reads from the open playground, otherwise from its stored journal. */
async function read(
  pool: WireOptions['pool'],
  sessionId: string,
  runId: string,
): Promise<WireRecord | undefined> {
  const open = await pool.find(sessionId);
  if (open) return open.past.wire(runId);
  const { readWire } = await loadEngine();
  return withJournal(pool, sessionId, (journal) => readWire(journal, runId));
}

async function exported(
  pool: WireOptions['pool'],
  sessionId: string,
  runId: string,
): Promise<ExportedRun | undefined> {
  const { exportedRun, readRun } = await loadEngine();
  const found = await withJournal(pool, sessionId, (journal) => readRun(journal, runId));
  return found && exportedRun(t('Run'), found);
}

async function describeServer(
  connections: WireOptions['connections'],
  connectionId: string,
): Promise<string | undefined> {
  const reported = await ask(connections, connectionId, (provider, signal) =>
    provider.describeServer({ signal }),
  );
  const words = [reported?.product, reported?.version].filter((word) => typeof word === 'string').join(' ');
  return words === '' ? undefined : words;
}

function describeModel(
  connections: WireOptions['connections'],
  connectionId: string,
  model: string,
): Promise<ModelInfo | undefined> {
  return ask(connections, connectionId, async (provider, signal) => {
    const { models } = await provider.describeServer({ signal });
    // A server with a single model accepts any name.
    const found =
      models.find(({ id }) => id === model || id === `${model}:latest`) ??
      (models.length === 1 ? models[0] : undefined);
    return found && (await provider.describeModel(found, { signal }));
  });
}

/** @returns undefined when the server does not answer in time; the result is redacted. */
async function ask<Told>(
  connections: WireOptions['connections'],
  connectionId: string,
  question: (provider: Providers, signal: AbortSignal) => Promise<Told>,
): Promise<Told | undefined> {
  try {
    const connection = connections.find(connectionId);
    const { provider } = await connections.makeProvider({ connection, model: '-', rescueToolCalls: true });
    const reported = await question(provider, AbortSignal.timeout(SERVER_TIMEOUT_MS));
    return connections.redactor().value(reported);
  } catch {
    return undefined;
  }
}
