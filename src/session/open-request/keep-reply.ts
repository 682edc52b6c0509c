// Makes a run of the reply that was found beside a request, as if it had just arrived, and stores it as the first run of the
// lane. Sends nothing.
import { toMessage } from '../conversation/pending-messages';
import { parseDocument } from '../document/parse-document';
import { appendLine } from '../journal/journal-lines';
import { appendRecord, appendSetup, appendWire } from '../journal/run-lines';
import type { Journal } from '../ports';
import { answeredBy } from '../run/answered-source';
import { ChatStep } from '../run/chat-step';
import type { StepServices } from '../run/chat-step';
import { MemorySink } from '../run/memory-sink';
import type { RunRecord } from '../run/record/run-record';
import type { WireRecord } from '../run/record/wire-record';
import { openRun } from '../run/setup';
import type { FoundReply } from './found-request';
import type { OpenedRequest } from './open-request';

/**
 * @param text The playground of the request.
 * @returns undefined where there is nothing to keep: no reply, or a request that is not known as it was sent
 */
export async function keepReply(
  journal: Journal,
  services: StepServices,
  opened: OpenedRequest,
  text: string,
): Promise<RunRecord | undefined> {
  const { reply, body } = opened;
  const { document } = parseDocument(text);
  const [lane] = document?.lanes ?? [];
  if (!reply || body === '' || !document || !lane) return undefined;
  const { system, messages, tools } = document;
  const said = messages.map(toMessage);
  const { entry, host } = opened;
  const { connection: connectionId, model = '' } = lane;
  const views = await services.connections.views();
  const known = views.find(({ id }) => id === connectionId)?.label ?? connectionId;
  const label = host === undefined ? known : new URL(host).host;
  const answer = { ...reply, entry, host, connectionId, label, model };
  const parts = { ...services, connections: answeredBy(services.connections, views, answer) };
  const signal = new AbortController().signal;
  const asked = {
    lane,
    system,
    // An opened document declares its tools itself.
    tools: tools.flatMap((tool) => ('$ref' in tool ? [] : [tool])),
    idleTools: [],
    messages: said,
  };
  const runId = crypto.randomUUID();
  const sink = new MemorySink();
  const begun = { connectionId, model };
  const step = new ChatStep(parts, sink, {
    runId,
    begun,
    opened: openRun(parts, asked, signal),
    body,
    callsBefore: { count: 0, rescued: 0 },
    signal,
  });
  const record = withTimes(await step.run(), reply);
  const at = Date.now();
  for (const message of said)
    appendLine(journal, { kind: 'message', lane: lane.id, id: crypto.randomUUID(), at, message });
  appendLine(journal, { kind: 'run', lane: lane.id, id: runId, at: record.startedAt, ...begun });
  for (const setup of sink.setups.values()) appendSetup(journal, runId, setup);
  const wire = sink.wires.get(runId);
  if (wire) appendWire(journal, runId, withoutArrivals(wire.record()));
  appendRecord(journal, record);
  return record;
}

/** When the source says how long it took, that counts; how fast it is read here says nothing. */
function withTimes(
  { rates: _rates, firstTokenMs: _first, ...record }: RunRecord,
  { startedAt = record.startedAt, durationMs = 0 }: FoundReply,
): RunRecord {
  const ledger = record.ledger.map(({ headersMs: _headers, ...attempt }) => ({
    ...attempt,
    startedAt,
    endMs: durationMs,
  }));
  return { ...record, startedAt, durationMs, ledger };
}

const withoutArrivals = (wire: WireRecord): WireRecord => ({
  ...wire,
  attempts: wire.attempts.map(({ response, ...attempt }) => {
    const { arrivals: _arrivals, ...rest } = response ?? {};
    return { ...attempt, ...(response && { response: rest as typeof response }) };
  }),
});
