// Collects everything stored of a run into the object that is exported. Pure; the parts were redacted when stored.
import type { ExportedRun } from '../../../inspect';
import { samplingWays } from '../../../inspect';
import type { ReadRun } from '../../journal/run-lines';

/** @param around The runs that led to it, and the totals of its agent run. */
export function exportedRun(
  title: string,
  { record, wire, setup }: ReadRun,
  around: Pick<ExportedRun, 'steps' | 'ending'> = {},
): ExportedRun {
  const { turn, error, firstTokenMs, rates, askedBy } = record;
  const request = wire?.requests[wire.attempts.at(-1)?.request ?? -1];
  return {
    title,
    connectionId: record.connectionId,
    connection: record.connectionLabel,
    model: record.model,
    ...(askedBy !== undefined && { askedBy }),
    startedAt: new Date(record.startedAt).toISOString(),
    durationMs: record.durationMs,
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    ...(rates && { rates }),
    ...(turn && { usage: turn.usage }),
    verdict: record.verdict,
    ...around,
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
    parameters:
      wire && request ? samplingWays(wire.sampling, request.body, wire.attempts.at(-1)?.response?.body) : [],
    ledger: record.ledger,
    ...(request && { request }),
    attempts: (wire?.attempts ?? []).map(({ name, response }) => ({ name, ...(response && { response }) })),
  };
}
