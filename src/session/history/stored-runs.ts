// Builds the list of a session's runs from its journal without reading the bodies: what the list shows and is searched by.
// It has every run whose record is stored, also those that the playground no longer has. Pure; ignores unknown lines.
import type { Verdict } from '../../protocol';
import type { JournalLine } from '../ports';
import { bodyKey, headOf, isVerdict } from '../run-lines';
import type { StoredLines } from '../store/history-store';

export interface StoredRun {
  runId: string;
  /** When the run began, in milliseconds since the epoch. */
  at: number;
  model: string;
  /** Label of the connection, or its id. */
  connection: string;
  verdict: Verdict;
  durationMs: number;
  /** Names of the tools that it called, each once. */
  tools: readonly string[];
  /** Beginning of the message that it answers. */
  question: string;
  /** Beginning of its reply. */
  reply: string;
  /** Number of the step in an agent run, starting at 1; absent for other runs. */
  step?: number | undefined;
  /** Id of the run whose request was sent again; absent for other runs. */
  replayOf?: string | undefined;
  /** Name given by a person. */
  name?: string | undefined;
  isPinned: boolean;
}

/** @returns the runs, the latest first */
export function storedRuns({ lines, keys }: StoredLines): StoredRun[] {
  const reader = new RunReader();
  for (const line of lines) reader.take(line);
  return reader.runs.filter(({ runId }) => keys.has(bodyKey(runId))).toSorted((a, b) => b.at - a.at);
}

class RunReader {
  readonly #runs = new Map<string, StoredRun>();
  /** The latest user message by the id of its lane. */
  readonly #questions = new Map<string, string>();

  get runs(): StoredRun[] {
    return [...this.#runs.values()];
  }

  take(line: JournalLine): void {
    const run = this.#runs.get(text(line.id));
    switch (line.kind) {
      case 'message':
        this.#takeMessage(line);
        break;
      case 'run':
      case 'replay':
        if (!run) this.#takeRun(line);
        break;
      case 'ended':
        if (run) takeEnded(run, line);
        break;
      case 'summary':
        if (run) Object.assign(run, { tools: texts(line.tools), reply: text(line.text) });
        break;
      case 'mark':
        if (run) takeMark(run, line);
        break;
    }
  }

  #takeMessage({ lane, message }: JournalLine): void {
    const { role, content } = (message ?? {}) as Record<string, unknown>;
    if (role === 'user') this.#questions.set(text(lane), headOf(text(content)));
  }

  #takeRun({ id, at, lane, connectionId, model, step, replayOf, question }: JournalLine): void {
    const { number } = (step ?? {}) as Record<string, unknown>;
    this.#runs.set(text(id), {
      runId: text(id),
      at: count(at),
      model: text(model),
      connection: text(connectionId),
      verdict: { kind: 'interrupted', detail: '' },
      durationMs: 0,
      tools: [],
      question: text(question) || (this.#questions.get(text(lane)) ?? ''),
      reply: '',
      ...(typeof number === 'number' && { step: number }),
      ...(typeof replayOf === 'string' && { replayOf }),
      isPinned: false,
    });
  }
}

function takeEnded(run: StoredRun, { verdict, durationMs, model, connectionLabel }: JournalLine): void {
  if (isVerdict(verdict)) run.verdict = verdict;
  run.durationMs = count(durationMs);
  run.model = text(model) || run.model;
  run.connection = text(connectionLabel) || run.connection;
}

function takeMark(run: StoredRun, { isPinned, name }: JournalLine): void {
  if (typeof isPinned === 'boolean') run.isPinned = isPinned;
  if (typeof name === 'string') run.name = name === '' ? undefined : name;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);
