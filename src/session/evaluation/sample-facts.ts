// What one sample came to, from the records of its runs: everything that expectations ask and that is counted. Pure, so that a
// stored run gives the same.
import { hash } from 'node:crypto';
import type { AgentEnding } from '../../protocol';
import { parser, sumKnown } from '../../library';
import type { NoVerdictReason, OutcomeKind, SampleCall, SampleFacts } from '../../types';
import type { RecordedTurn, RunRecord } from '../run/record/run-record';
import { canonicalJson } from '../../inspect';
import { failureReason, isLostCall } from './failure-reason';

/** What is counted of a sample beside its facts. */
export interface SampleMeasures {
  hasValidArguments?: boolean | undefined;
  /** Calls in normal form, without ids. */
  calls: string;
  replyHash: string;
  model?: string | undefined;
}

export type SampleOutcome =
  | { facts: SampleFacts; measures: SampleMeasures }
  /** There is nothing to judge. */
  | {
      reason: NoVerdictReason;
      message: string;
      /** Of `time`: the limit of the evaluation at which it was stopped, in milliseconds. */
      limitMs?: number | undefined;
    };

/**
 * @param records Of a chat one, of an agent run one a step.
 * @returns undefined when it was stopped
 */
export function toOutcome(
  records: readonly RunRecord[],
  ending: AgentEnding | undefined,
): SampleOutcome | undefined {
  const last = records.at(-1);
  if (!last || last.verdict.kind === 'stopped' || last.verdict.kind === 'interrupted') return undefined;
  if (ending?.stopReason === 'stopped' || ending?.stopReason === 'interrupted') return undefined;
  if (!last.turn && !isLostCall(last)) {
    return { reason: failureReason(last), message: describeNoReply(last) };
  }
  return { facts: toFacts(records, last, ending), measures: toMeasures(records) };
}

/** The same words for the same failure, so without times: samples are grouped and lanes are stopped by them. */
function describeNoReply({ verdict, error }: RunRecord): string {
  const more = [error?.why, error?.next].filter(Boolean).join(' ');
  return more === '' ? (error?.what ?? verdict.detail) : `${verdict.detail}: ${more}`;
}

function toFacts(
  records: readonly RunRecord[],
  last: RunRecord,
  ending: AgentEnding | undefined,
): SampleFacts {
  const turns = turnsOf(records);
  const unread = unreadFormats(last);
  const cause = records.findLast(({ findings }) => findings.length > 0)?.findings[0]?.what;
  const finish = last.turn?.raw.finishReason;
  return {
    calls: records.flatMap((record, index) => callsOf(record, index + 1)),
    text: textOf(last),
    outcome: outcomeOf(records),
    ...(finish !== undefined && { finish }),
    ...(unread.length > 0 && { unread }),
    spent: toSpent(records, turns),
    hasRates: last.hasRates ?? false,
    ...(ending && { agent: { steps: ending.steps, stop: toStop(ending.stopReason) } }),
    ...(cause !== undefined && { cause }),
  };
}

/** Most replies with a call have no text, and to look for reasoning in it takes longer than all the rest. */
function textOf({ turn, partial }: RunRecord): string {
  const text = turn?.assistant.content ?? partial?.content ?? '';
  return text === '' ? '' : parser.stripReasoning(text);
}

const turnsOf = (records: readonly RunRecord[]): RecordedTurn[] => records.flatMap(({ turn }) => turn ?? []);

const toStop = (reason: AgentEnding['stopReason']) =>
  reason === 'stopped' || reason === 'interrupted' ? 'error' : reason;

function callsOf({ turn }: RunRecord, step: number): SampleCall[] {
  return (turn?.toolCalls ?? []).map((call, index) => {
    const { name, source, arguments: args } = call;
    const parseError = source === 'native' ? turn?.exchange.toolCalls[index]?.parseError : undefined;
    const format = source === 'rescued' ? turn?.rescue?.calls[index]?.format : undefined;
    return {
      name,
      arguments: parseError === undefined ? args : undefined,
      step,
      source,
      ...(format !== undefined && { format }),
      ...(parseError !== undefined && { parseError }),
    };
  });
}

/** Formats of calls that were read and are not used, because rescue is off. */
function unreadFormats({ turn }: RunRecord): string[] {
  if (!turn || turn.toolCalls.length > 0) return [];
  return [...new Set(turn.rescue?.calls.map(({ format }) => format))];
}

/** Of an agent run, the worst way in which it called. */
function outcomeOf(records: readonly RunRecord[]): OutcomeKind {
  const kinds = records.map((record) => (isLostCall(record) ? 'malformed' : record.verdict.kind));
  const worst = (['malformed', 'rescued', 'native'] as const).find((kind) => kinds.includes(kind));
  return worst ?? (kinds.at(-1) === 'answer' ? 'answer' : 'none');
}

function toSpent(records: readonly RunRecord[], turns: readonly RecordedTurn[]): SampleFacts['spent'] {
  const sum = (values: readonly (number | undefined)[]): number | undefined =>
    values.length < records.length || values.includes(undefined) ? undefined : sumKnown(values);
  const usages = turns.map(({ usage }) => usage);
  const promptTokens = sum(usages.map((usage) => usage.promptTokens));
  const completionTokens = sum(usages.map((usage) => usage.completionTokens));
  const costUsd = sum(usages.map((usage) => usage.costUsd));
  const firstTokenMs = records[0]?.firstTokenMs;
  const hasTokens = promptTokens !== undefined && completionTokens !== undefined;
  return {
    ...(promptTokens !== undefined && { promptTokens }),
    ...(completionTokens !== undefined && { completionTokens }),
    ...(hasTokens && { totalTokens: promptTokens + completionTokens }),
    ...(costUsd !== undefined && { costUsd }),
    // Of an agent run without the delays of its mocks, which say nothing about the model.
    timeMs: records.reduce((total, { durationMs }) => total + durationMs, 0),
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    attempts: Math.max(
      1,
      records.reduce((total, { ledger }) => total + ledger.length, 0),
    ),
  };
}

function toMeasures(records: readonly RunRecord[]): SampleMeasures {
  const turns = turnsOf(records);
  const calls = turns.flatMap(({ toolCalls }) => toolCalls);
  const hasIssue = records.some(({ turn, schemaIssues = {} }) => {
    const isUnread = turn?.exchange.toolCalls.some(({ parseError }) => parseError !== undefined) ?? false;
    return isUnread || Object.keys(schemaIssues).length > 0;
  });
  const printed = calls.map(({ name, arguments: args }) => `${name} ${canonicalJson(args ?? {})}`).join('\n');
  const contents = turns.map(({ raw }) => raw.content);
  const model = turns.at(-1)?.raw.model;
  return {
    ...(calls.length > 0 && { hasValidArguments: !hasIssue }),
    calls: printed,
    replyHash: hash('sha256', canonicalJson([contents, printed]), 'hex').slice(0, 32),
    ...(model !== undefined && { model }),
  };
}
