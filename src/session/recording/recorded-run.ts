// Makes a run of a recorded chat: its reply is read as if it had just arrived, its times and its wire are those that were
// recorded. Sends nothing.
import { t } from '@vscode/l10n';
import { tokenRates } from '../../inspect';
import type { CatalogEntry, Providers } from '../../library';
import { isRecord, NetworkError, parseJson, PROVIDER_CATALOG, ProviderError } from '../../library';
import type { ConnectionView, ErrorInfo, LiveReplyView } from '../../protocol';
import type { NeutralRequest, RecordedExchange } from '../../types';
import { countCalls } from '../history/replay-run';
import { hostOf } from '../open-request/open-request';
import type { ConnectionSource } from '../ports';
import { answeredBy } from '../run/answered-source';
import type { StepServices } from '../run/chat-step';
import { ChatStep } from '../run/chat-step';
import { MemorySink } from '../run/memory-sink';
import type { RunRecord } from '../run/record/run-record';
import type { WireRecord } from '../run/record/wire-record';
import { toWireRecord } from '../run/record/wire-record';
import type { Asked, Setup } from '../run/setup';
import { openRun } from '../run/setup';
import { RequestGate } from '../request-gate';
import { tellProgram } from './tell-program';

/** The server of a recording. */
export interface RecordedServer {
  /** '' where the connection is not known, as in a file. */
  connectionId: string;
  /** For people. */
  label: string;
}

export type ReadServices = Pick<StepServices, 'connections' | 'clock'>;

export interface RecordedRun {
  record: RunRecord;
  setup: Setup;
  wire: WireRecord;
}

/** Nothing is sent, so nothing waits for the requests of others. */
const OPEN_GATE = new RequestGate(() => Number.POSITIVE_INFINITY);
const SILENT_LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** @returns undefined for what is no chat, or a request that was not kept as a whole. Never rejects otherwise. */
export async function readRecorded(
  services: ReadServices,
  exchange: RecordedExchange,
  { server, views, runId }: { server: RecordedServer; views: readonly ConnectionView[]; runId: string },
): Promise<RecordedRun | undefined> {
  const entry = PROVIDER_CATALOG.find(({ id }) => id === exchange.protocol);
  const neutral = entry && readNeutral(exchange, entry);
  if (!entry || !neutral) return undefined;
  const { connectionId } = server;
  const { model, messages } = neutral;
  const { signal } = new AbortController();
  const connections = toSource(services.connections, exchange, { entry, model, server, views });
  const parts: StepServices = {
    ...services,
    connections,
    gate: OPEN_GATE,
    log: SILENT_LOG,
    knownConnections: () => views,
  };
  const opened = await openRun(parts, toAsked(neutral, connectionId), signal);
  const record = await new ChatStep(parts, new MemorySink(), {
    runId,
    begun: { connectionId, model },
    opened,
    body: exchange.request.body,
    callsBefore: { count: countCalls(messages), rescued: 0 },
    signal,
  }).run();
  const wire = wireOf(exchange, opened.stored, record);
  return { record: tellProgram(toRecorded(record, exchange), exchange), setup: opened.stored, wire };
}

export function readNeutral(
  { request }: Pick<RecordedExchange, 'request'>,
  entry: CatalogEntry,
): NeutralRequest | undefined {
  const body = parseJson(request.body);
  // With notes, the forms of other programs are read as well, such as `content: null` beside calls. What was sent stays on the wire.
  return isRecord(body) ? entry.readRequest({ body, isStreaming: true, notes: [] }) : undefined;
}

function toAsked({ model, messages, tools, toolChoice, sampling, raw }: NeutralRequest, id: string): Asked {
  const [first, ...rest] = messages;
  const system = first?.role === 'system' ? first.content : '';
  // A tool that the server itself runs may be chosen, and is none of the program's.
  const isKnown = typeof toolChoice !== 'object' || tools.some(({ name }) => name === toolChoice.tool);
  return {
    lane: {
      connection: id,
      ...(model !== '' && { model }),
      sampling,
      rescueToolCalls: true,
      raw,
      limits: {},
      ...(toolChoice && isKnown && { toolChoice }),
    },
    system,
    tools: tools.map((tool) => ({ ...tool, offered: true, mocks: [] })),
    idleTools: [],
    messages: system === '' ? messages : rest,
  };
}

function toSource(
  connections: ConnectionSource,
  exchange: RecordedExchange,
  {
    entry,
    model,
    server: { connectionId, label },
    views,
  }: { entry: CatalogEntry; model: string; server: RecordedServer; views: readonly ConnectionView[] },
): ConnectionSource {
  const { request, response, endedBy } = exchange;
  const { status = 0, headers = {} } = response ?? {};
  const body = response?.isBase64 ? Buffer.from(response.body, 'base64').toString('utf8') : response?.body;
  const host = hostOf(request.url, entry, false);
  const answer = { entry, connectionId, label, model, host, status, headers, body: body ?? '' };
  const source = answeredBy(connections, views, answer);
  if (response && endedBy !== 'network') return source;
  return {
    ...source,
    open: async (asked) => {
      const opened = await source.open(asked);
      return { ...opened, provider: breakOff(opened.provider, exchange) };
    },
  };
}

/** A provider whose server did not answer, or not to the end. */
function breakOff(provider: Providers, exchange: RecordedExchange): Providers {
  const { response, errorCode, problem = t('The connection was closed.') } = exchange;
  const { method, url } = exchange.request;
  const chat: Providers['chat'] = async (options) => {
    const partial =
      response &&
      (await provider
        .chat(options)
        .then(({ raw: { content } }): ProviderError['partial'] => ({ content }), partialOf));
    const explanation = {
      what: response
        ? t('The answer to {0} {1} broke off.', method, url)
        : t('{0} {1} got no answer.', method, url),
      why: problem,
      next: '',
    };
    const { startedAt, endMs } = exchange;
    const attempt = { attempt: 1, startedAt, endMs, endedBy: 'network', decision: 'stop' } as const;
    throw new NetworkError(errorCode, explanation, {
      attempts: 1,
      ledger: [{ ...attempt, reason: problem, ...(errorCode !== undefined && { errorCode }) }],
      ...(partial && { partial }),
    });
  };
  return Object.create(provider, { chat: { value: chat } }) as Providers;
}

const partialOf = (error: unknown): ProviderError['partial'] =>
  error instanceof ProviderError ? error.partial : undefined;

/** With the times that were recorded: how fast it is read here says nothing. */
function toRecorded(
  { rates: _rates, firstTokenMs: _first, ...record }: RunRecord,
  exchange: RecordedExchange,
): RunRecord {
  const { startedAt, endMs, headersMs, firstByteMs, response, endedBy } = exchange;
  const ledger = record.ledger.map(({ headersMs: _headers, ...attempt }) => ({
    ...attempt,
    startedAt,
    endMs,
    ...(headersMs !== undefined && { headersMs }),
  }));
  const timed = {
    ...record,
    startedAt,
    durationMs: endMs,
    ledger,
    ...(firstByteMs !== undefined && { firstTokenMs: firstByteMs }),
  };
  const isLeft = endedBy === 'program' || endedBy === 'recording';
  // A program may close the connection after the end mark of a stream: then nothing is missing.
  if (isLeft && !response?.isComplete && !timed.turn) return toStopped(timed, endedBy);
  const { turn } = timed;
  const rates = turn && tokenRates({ response, usage: turn.usage, ledger, firstTokenMs: firstByteMs });
  return { ...timed, ...(rates && { rates }) };
}

function toStopped(record: RunRecord, by: 'program' | 'recording'): RunRecord {
  const isProgram = by === 'program';
  const error: ErrorInfo = {
    code: 'aborted',
    title: t('Stopped'),
    what: isProgram
      ? t('The program closed the connection before the reply was complete.')
      : t('The recording was stopped before the reply was complete.'),
    why: isProgram
      ? t('It was ended, ran into a time limit of its own, or no longer needed the reply.')
      : t('A recording that stops ends the requests that are under way.'),
    next: isProgram ? t('Look at the time limit of the program.') : t('Record again.'),
  };
  const detail = isProgram ? t('by the program') : t('the recording was stopped');
  const { turn: _turn, partial, ...rest } = record;
  return {
    ...rest,
    verdict: { kind: 'stopped', detail },
    error,
    ...(hasText(partial) && { partial }),
    findings: [],
  };
}

const hasText = (partial: LiveReplyView | undefined): boolean =>
  partial !== undefined &&
  (partial.content !== '' || partial.reasoning !== '' || partial.toolCalls.length > 0);

export function wireOf(
  exchange: RecordedExchange,
  setup: Pick<Setup, 'connection' | 'model' | 'tools' | 'sampling'>,
  record?: Pick<RunRecord, 'turn' | 'ledger'>,
): WireRecord {
  const { request, response, number: _number, ...around } = exchange;
  const wire = toWireRecord({
    attempts: [{ attempt: 1, evidence: () => ({ request, response }) }],
    ledger: record?.ledger ?? [],
    setup: setup as Setup,
    exchange: record?.turn?.exchange,
    secrets: [],
  });
  return { ...wire, recorded: around };
}
