// Sends the request of a stored run again, byte for byte, and stores the result as a new run beside it. Checks whether that
// is possible before anything is sent.
import { t } from '@vscode/l10n';
import type { ProtocolEntry } from '../../inspect';
import type { ErrorInfo } from '../../protocol';
import type { Message, NeutralRequest } from '../../types';
import type { Journal } from '../ports';
import { RefusalError } from '../refusal';
import { appendLine } from '../journal/journal-lines';
import type { ReadRun } from '../journal/run-lines';
import { appendRecord, appendSetup, appendWire } from '../journal/run-lines';
import type { StepServices } from '../run/chat-step';
import { ChatStep } from '../run/chat-step';
import { MemorySink } from '../run/memory-sink';
import type { RunRecord } from '../run/record/run-record';
import type { Asked, Setup } from '../run/setup';
import { openRun } from '../run/setup';
import type { StoredRequest, WireRecord } from '../run/record/wire-record';
import { sha256 } from '../run/record/wire-record';
import { readAsked } from './read-asked';

export interface Replay {
  /** Text of the message that the run answered, for the list. */
  question: string;
  signal: AbortSignal;
  /** The protocols in which the request may be. */
  catalog: readonly ProtocolEntry[];
}

/**
 * Sends the request to the connection with its present settings and key.
 * @returns the record of the new run
 * @throws RefusalError when the bytes that were sent are not known
 */
export async function replayRun(
  journal: Journal,
  services: StepServices,
  run: ReadRun,
  { question, signal, catalog }: Replay,
): Promise<RunRecord> {
  const { body } = sentRequest(run.wire);
  const read = readAsked(run, catalog);
  const runId = crypto.randomUUID();
  const asked = run.setup ? toAsked(run.setup) : guessAsked(run, read);
  const { connection: connectionId, model = '' } = asked.lane;
  const sink = new MemorySink();
  const chat = new ChatStep(services, sink, {
    runId,
    begun: { connectionId, model },
    opened: openRun(services, asked, signal),
    body,
    callsBefore: { count: countCalls(read?.messages ?? []), rescued: 0 },
    signal,
  });
  const replayed = await chat.run();
  const line = { connectionId, model, question, replayOf: run.record.runId };
  appendLine(journal, { kind: 'replay', id: runId, at: replayed.startedAt, ...line });
  for (const setup of sink.setups.values()) appendSetup(journal, runId, setup);
  const sent = sink.wires.get(runId);
  if (sent) appendWire(journal, runId, sent.record());
  appendRecord(journal, replayed);
  return replayed;
}

/** The last request of the run, exactly as sent. @throws RefusalError which says why it is not known */
function sentRequest(wire: WireRecord | undefined): StoredRequest {
  const request = wire?.requests[wire.attempts.at(-1)?.request ?? -1];
  if (!request) throw new RefusalError(nothingSent());
  if (request.isBodyMasked) throw new RefusalError(masked());
  if (request.bodySha256 !== sha256(request.body)) throw new RefusalError(notWhole());
  return request;
}

const nothingSent = (): ErrorInfo => ({
  code: 'replay-nothing-sent',
  title: t('The run cannot be replayed exactly'),
  what: t('Nothing was sent in this run, or the requests are no longer stored.'),
  why: t('The run ended before its request, or the history was trimmed.'),
  next: t('Open its playground, and run again.'),
});

const masked = (): ErrorInfo => ({
  code: 'replay-masked',
  title: t('The run cannot be replayed exactly'),
  what: t('A secret in the body is masked in the history, so the bytes that were sent are not known.'),
  why: t('Keys are never written to disk.'),
  next: t('Open the run in a new playground, correct what is missing, and run that.'),
});

const notWhole = (): ErrorInfo => ({
  code: 'replay-not-whole',
  title: t('The run cannot be replayed exactly'),
  what: t('The stored body differs from the body that was sent.'),
  why: t('A secret in it was masked when it was stored, or it was too long to be stored completely.'),
  next: t('Open the run in a new playground, correct what is missing, and run that.'),
});

/** The setup of the run; its connection is opened with the present settings. */
function toAsked(setup: Setup): Asked {
  const { connection, model, sampling, rescueToolCalls, raw, toolChoice, limits, ...asked } = setup;
  const lane = { connection: connection.id, sampling, rescueToolCalls, raw, toolChoice, limits };
  return { ...asked, lane: { ...lane, ...(model !== '' && { model }) } };
}

/**
 * For a run of an earlier version, without a setup: what affects how the reply is read, and what the table of parameters
 * shows. Whether rescue was on is told from the reply.
 */
function guessAsked(
  { record: { connectionId, model, turn }, wire }: ReadRun,
  read: NeutralRequest | undefined,
): Asked {
  const tools = (wire?.tools ?? []).map((tool) => ({ ...tool, offered: true, mocks: [] }));
  const wasRescueOff = (turn?.rescue?.calls.length ?? 0) > 0 && turn?.toolCalls.length === 0;
  const forbidsCalls = read?.toolChoice === 'none' && tools.length > 0;
  const lane = {
    connection: connectionId,
    ...(model !== '' && { model }),
    sampling: wire?.sampling.lane ?? {},
    rescueToolCalls: forbidsCalls || !wasRescueOff,
    ...(forbidsCalls && { toolChoice: 'none' as const }),
    limits: {},
  };
  return { lane, system: '', tools, idleTools: [], messages: [] };
}

/** Counts the calls since the last user message. If there are any, a reply without calls counts as the answer. */
export function countCalls(messages: readonly Message[]): number {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  return since.reduce((sum, { toolCalls = [] }) => sum + toolCalls.length, 0);
}
