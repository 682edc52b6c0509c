// How a run stands in a journal: its lines, and the keys of what is large beside them. Knows no conversation.
import type { AgentEnding, Verdict } from '../protocol';
import type { Journal, JournalLine } from './ports';
import type { RunRecord } from './run/run-record';
import { toWholeCharacter } from './run/run-record';
import type { WireRecord } from './run/wire-record';
import { readWireRecord } from './run/wire-record';
import { COMPANION } from './store/record';

/** UTF-16 units of a reply that are in the lines, so that it is found without being read. */
const MAX_SUMMARY = 1_000;
const MAX_TOOLS = 20;
const MAX_TOOL_NAME = 100;

export const bodyKey = (runId: string): string => `run:${runId}`;
/** Written before the body of the run, to which it belongs. */
export const wireKey = (runId: string): string => `${COMPANION}wire:${runId}`;

export function appendRecord(journal: Journal, record: RunRecord): void {
  const { runId, verdict, durationMs, model, connectionLabel } = record;
  const line = { kind: 'ended', id: runId, at: Date.now(), verdict, durationMs, model, connectionLabel };
  journal.append(line, { key: bodyKey(runId), value: record });
  journal.append(toSummary(record));
}

/** What a run is found by without its record; it goes with the record. */
function toSummary({ runId, turn, error }: RunRecord): JournalLine {
  const names = (turn?.toolCalls ?? []).map(({ name }) => name.slice(0, MAX_TOOL_NAME));
  return {
    kind: 'summary',
    about: bodyKey(runId),
    id: runId,
    tools: [...new Set(names)].slice(0, MAX_TOOLS),
    text: headOf(turn?.raw.content ?? error?.title ?? ''),
  };
}

/** How a text begins, as much of it as a summary has. */
export const headOf = (text: string): string =>
  text.length > MAX_SUMMARY ? text.slice(0, toWholeCharacter(text, MAX_SUMMARY)) : text;

export function appendWire(journal: Journal, runId: string, wire: WireRecord): void {
  journal.append({ kind: 'wire', id: runId }, { key: wireKey(runId), value: wire });
}

export function appendEnding(journal: Journal, runId: string, ending: AgentEnding): void {
  journal.append({ kind: 'ending', id: runId, ending });
}

/** What went over the wire in a run; undefined when nothing did, or it is not kept any more. */
export const readWire = async (journal: Journal, runId: string): Promise<WireRecord | undefined> =>
  readWireRecord(await journal.readBody(wireKey(runId)));

/** What a stored conversation says of a run without its record. */
export const isVerdict = (value: unknown): value is Verdict =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  typeof value.kind === 'string' &&
  'detail' in value &&
  typeof value.detail === 'string';
