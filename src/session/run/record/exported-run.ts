// Collects everything stored of a run into the object that is exported. Pure; the parts were redacted when stored.
import type { ExportedRun } from '../../../inspect';
import { samplingWays } from '../../../inspect';
import type { ReadRun } from '../../journal/run-lines';

export function exportedRun(title: string, { record, wire, setup }: ReadRun): ExportedRun {
  const { turn, error } = record;
  const request = wire?.requests[wire.attempts.at(-1)?.request ?? -1];
  return {
    title,
    connectionId: record.connectionId,
    connection: record.connectionLabel,
    model: record.model,
    startedAt: new Date(record.startedAt).toISOString(),
    durationMs: record.durationMs,
    verdict: record.verdict,
    findings: record.findings.map(({ severity, what, evidence, next }) => ({
      severity,
      what,
      ...(evidence && { evidence }),
      ...(next && { next }),
    })),
    ...(error && { error }),
    ...(turn && { raw: turn.raw }),
    calls: (turn?.toolCalls ?? []).map(({ id, name, arguments: value, source }) => {
      const format = turn?.rescue?.calls.find((call) => call.id === id)?.format;
      return { name, arguments: value, source, ...(source === 'rescued' && format && { format }) };
    }),
    ...(turn?.rescue && { rescue: turn.rescue }),
    tools: wire?.tools ?? [],
    ...(setup && { setup }),
    parameters: wire && request ? samplingWays(wire.sampling, request.body) : [],
    ledger: record.ledger,
    ...(request && { request }),
    attempts: (wire?.attempts ?? []).map(({ name, response }) => ({ name, ...(response && { response }) })),
  };
}
