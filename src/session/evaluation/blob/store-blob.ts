// Puts the samples of a blob into a store, as an evaluation that has ended: with the replies that it holds, and without the requests,
// which it does not. Sends nothing.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import type { RunStore } from '../../ports';
import { MemorySink } from '../../run/memory-sink';
import type { RunRecord } from '../../run/record/run-record';
import { EvaluationStore } from '../evaluation-store';
import type { SampleEntry } from '../sample-entry';
import type { BlobHead } from './blob-lines';
import type { JoinedBlobs } from './join-blobs';

/** Number of samples that are stored in one turn of the event loop. */
const SLICE = 250;

/** @param path Of the playground in the blob. @param sessionId Whose evaluation it becomes. @returns the id of the evaluation */
export async function storeBlob(
  store: Pick<RunStore, 'open' | 'remove'>,
  sessionId: string,
  { head, samples, durationMs, missing }: JoinedBlobs,
  path: string,
): Promise<string> {
  const id = crypto.randomUUID();
  const entries = samples.get(path) ?? [];
  const journal = await store.open(sessionId);
  const evaluations = new EvaluationStore(store, journal);
  await evaluations.note({
    id,
    startedAt: head.startedAt,
    passed: 0,
    planned: entries.length,
    durationMs,
    isEnded: true,
    more: {},
    ...(missing.length > 0 && { early: { reason: 'failures' as const, text: missing.join(' ') } }),
  });
  const stored = await evaluations.open(id);
  const runs = await stored.runs();
  for (const [index, entry] of entries.entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    const record = toRecord(entry, head, path);
    const sink = new MemorySink();
    sink.beginRun(record.runId, record);
    sink.setRecord(record.runId, record);
    stored.append(runs, { ...entry, runsIn: id, runIds: [record.runId] }, { sink, isFailed: false });
  }
  await stored.close();
  await journal.close();
  return id;
}

function toRecord({ laneId, at, outcome }: SampleEntry, { lanes }: BlobHead, path: string): RunRecord {
  const lane = lanes.find(({ file, id }) => file === path && id === laneId);
  const { connection, model = '' } = lane ?? {};
  const label: unknown = connection?.label;
  const base = {
    runId: crypto.randomUUID(),
    connectionId: connection?.id ?? '',
    connectionLabel: typeof label === 'string' ? label : '',
    model,
    startedAt: at,
    durationMs: 0,
    ledger: [],
    findings: [],
  };
  if (!('facts' in outcome)) {
    const { message } = outcome;
    const error = { code: 'from-blob', title: t('No verdict'), what: message, why: '', next: '' };
    return { ...base, verdict: { kind: 'failed', detail: message }, error };
  }
  const { facts } = outcome;
  const { timeMs = 0, firstTokenMs, attempts = 1, ...usage } = facts.spent;
  const calls = facts.calls.map(({ name, arguments: args, source }, index) => ({
    id: `${index + 1}`,
    name,
    arguments: args,
    source,
  }));
  return {
    ...base,
    startedAt: at - timeMs,
    durationMs: timeMs,
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    hasRates: facts.hasRates,
    verdict: { kind: facts.outcome, detail: facts.calls.map(({ name }) => name).join(', ') },
    turn: {
      assistant: { role: 'assistant', content: facts.text },
      raw: {
        content: facts.text,
        toolCalls: calls.filter(({ source }) => source === 'native'),
        usage,
        attempts,
        ...(facts.finish !== undefined && { finishReason: facts.finish }),
      },
      toolCalls: calls,
      usage,
      attempts,
      exchange: {
        sent: {},
        dropped: [],
        overridden: [],
        toolCalls: facts.calls
          .filter(({ source }) => source === 'native')
          .map(({ arguments: args, parseError }) => ({
            rawArguments: JSON.stringify(args) ?? '',
            ...(parseError !== undefined && { parseError }),
          })),
      },
    },
  };
}
