// Builds the list of a session's runs from its journal without reading the bodies: what the list shows and is searched by.
// It has every run whose record is stored, also those that the playground no longer has. Pure; ignores unknown lines.
import type { Verdict } from '../../protocol';
import type { SessionLine } from '../journal/journal-lines';
import { readLine } from '../journal/journal-lines';
import { bodyKey, headOf } from '../journal/run-lines';
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
  /** Id of that agent run, which all of its steps have. */
  agentRunId?: string | undefined;
  /** Id of the run whose request was sent again; absent for other runs. */
  replayOf?: string | undefined;
  /** The program that asked for it; absent for runs of this one. */
  askedBy?: string | undefined;
  /** Name given by a person. */
  name?: string | undefined;
  isPinned: boolean;
}

/** @returns the runs, the latest first */
export function storedRuns({ lines, keys }: StoredLines): StoredRun[] {
  const reader = new RunReader();
  for (const stored of lines) {
    const line = readLine(stored);
    if (line) reader.take(line);
  }
  return reader.runs.filter(({ runId }) => keys.has(bodyKey(runId))).toSorted((a, b) => b.at - a.at);
}

class RunReader {
  readonly #runs = new Map<string, StoredRun>();
  /** The latest user message by the id of its lane. */
  readonly #questions = new Map<string, string>();

  get runs(): StoredRun[] {
    return [...this.#runs.values()];
  }

  take(line: SessionLine): void {
    switch (line.kind) {
      case 'message':
        if (line.message.role === 'user') this.#questions.set(line.lane, headOf(line.message.content));
        break;
      case 'run':
        this.#begin(line, {
          question: this.#questions.get(line.lane) ?? '',
          step: line.step?.number,
          agentRunId: line.step?.agentRunId,
        });
        break;
      case 'replay':
        this.#begin(line, { question: line.question, replayOf: line.replayOf, askedBy: line.askedBy });
        break;
      case 'ended':
        this.#change(line.id, (run) => ({
          ...run,
          verdict: line.verdict ?? run.verdict,
          durationMs: line.durationMs,
          model: line.model || run.model,
          connection: line.connectionLabel || run.connection,
        }));
        break;
      case 'summary':
        this.#change(line.id, (run) => ({ ...run, tools: line.tools, reply: line.text }));
        break;
      case 'mark':
        this.#change(line.id, ({ isPinned, name, ...run }) => ({
          ...run,
          isPinned: line.isPinned ?? isPinned,
          name: line.name === undefined ? name : line.name || undefined,
        }));
        break;
    }
  }

  #begin(
    { id, at, model, connectionId }: SessionLine & { kind: 'run' | 'replay' },
    {
      question,
      step,
      agentRunId,
      replayOf,
      askedBy,
    }: Pick<StoredRun, 'question' | 'step' | 'agentRunId' | 'replayOf' | 'askedBy'>,
  ): void {
    if (this.#runs.has(id)) return;
    this.#runs.set(id, {
      runId: id,
      at,
      model,
      connection: connectionId,
      verdict: { kind: 'interrupted', detail: '' },
      durationMs: 0,
      tools: [],
      question,
      reply: '',
      ...(step !== undefined && { step, agentRunId }),
      ...(replayOf !== undefined && { replayOf }),
      ...(askedBy !== undefined && { askedBy }),
      isPinned: false,
    });
  }

  #change(runId: string, change: (run: StoredRun) => StoredRun): void {
    const run = this.#runs.get(runId);
    if (run) this.#runs.set(runId, change(run));
  }
}
