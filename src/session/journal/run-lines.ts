// The lines of a run in a journal, and the keys of the bodies beside them. Independent of conversations.
import type { AgentEnding } from '../../protocol';
import type { SessionLine } from './journal-lines';
import { appendLine } from './journal-lines';
import type { Journal } from '../ports';
import type { RunRecord } from '../run/record/run-record';
import { readRecord, tooLargeRecord, toWholeCharacter } from '../run/record/run-record';
import type { Setup } from '../run/setup';
import { readSetup } from '../run/setup';
import type { WireRecord } from '../run/record/wire-record';
import { readWireRecord } from '../run/record/wire-record';
import { COMPANION, TOO_LARGE } from '../store/record';

/** How much of a reply is stored in the lines, so that it can be searched without reading the body. In UTF-16 code units. */
const MAX_SUMMARY = 1_000;
const MAX_TOOLS = 20;
const MAX_TOOL_NAME = 100;

export const bodyKey = (runId: string): string => `run:${runId}`;
/** The setup is written before the body of the first run that has it. It stays as long as one of them. */
export const setupKey = (setupId: string): string => `${COMPANION}setup:${setupId}`;
/** The wire record is written before the body of the run and is a companion of it. */
export const wireKey = (runId: string): string => `${COMPANION}wire:${runId}`;

export function appendRecord(journal: Journal, record: RunRecord): void {
  const { runId, verdict, durationMs, model, connectionLabel } = record;
  const ending = { verdict, durationMs, model, connectionLabel };
  const body = { key: bodyKey(runId), value: record };
  appendLine(journal, { kind: 'ended', id: runId, at: Date.now(), ...ending }, body);
  appendLine(journal, toSummary(record));
}

/** What a run can be searched by without its record. It is removed together with the record. */
function toSummary({ runId, turn, error }: RunRecord): SessionLine {
  const names = (turn?.toolCalls ?? []).map(({ name }) => name.slice(0, MAX_TOOL_NAME));
  return {
    kind: 'summary',
    about: bodyKey(runId),
    id: runId,
    tools: [...new Set(names)].slice(0, MAX_TOOLS),
    text: headOf(turn?.raw.content ?? error?.title ?? ''),
  };
}

/** The beginning of a text, as long as a summary allows. */
export const headOf = (text: string): string =>
  text.length > MAX_SUMMARY ? text.slice(0, toWholeCharacter(text, MAX_SUMMARY)) : text;

export function appendWire(journal: Journal, runId: string, wire: WireRecord): void {
  appendLine(journal, { kind: 'wire', id: runId }, { key: wireKey(runId), value: wire });
}

/** @param isStored Whether the journal has the setup itself already. */
export function appendSetup(journal: Journal, runId: string, setup: Setup, isStored = false): void {
  const key = setupKey(setup.id);
  // Several runs may have the setup, so it does not go with the first of them.
  const line = { kind: 'setup' as const, id: runId, setup: setup.id, holder: bodyKey(runId), held: key };
  appendLine(journal, line, isStored ? undefined : { key, value: setup });
}

export function appendEnding(journal: Journal, runId: string, ending: AgentEnding): void {
  appendLine(journal, { kind: 'ending', id: runId, ending });
}

/** The wire record of a run; undefined when nothing was sent, or it is no longer stored. */
export const readWire = async (journal: Journal, runId: string): Promise<WireRecord | undefined> =>
  readWireRecord(await journal.readBody(wireKey(runId)));

/** Everything that is stored of a run. */
export interface ReadRun {
  record: RunRecord;
  /** Absent when nothing was sent or the wire record is no longer stored. */
  wire: WireRecord | undefined;
  /** Absent when it is no longer stored, or the run is of an earlier version. */
  setup: Setup | undefined;
}

/** @returns undefined when the run is no longer stored */
export async function readStored(journal: Journal, runId: string): Promise<RunRecord | undefined> {
  const body = await journal.readBody(bodyKey(runId));
  return body === TOO_LARGE ? tooLargeRecord(runId) : readRecord(body);
}

/** @returns undefined when the run is no longer stored */
export async function readRun(journal: Journal, runId: string): Promise<ReadRun | undefined> {
  const record = await readStored(journal, runId);
  return record && readBeside(journal, record);
}

/** Reads what is stored beside a record. */
export async function readBeside(journal: Journal, record: RunRecord): Promise<ReadRun> {
  const wire = await readWire(journal, record.runId);
  const { setup: id } = record;
  const setup = id === undefined ? undefined : readSetup(await journal.readBody(setupKey(id)));
  return { record, wire, setup };
}
