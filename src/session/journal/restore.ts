// Restores the conversations of a session from its journal. A run without an end becomes an interrupted one, with everything
// that had arrived, or one that may be under way in another window. Pure; ignores lines it does not know.
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import type { AgentEnding, LiveReplyView } from '../../protocol';
import { DocumentMessageSchema } from '../../protocol';
import type { SessionLine } from './journal-lines';
import { readLine } from './journal-lines';
import type { JournalLine } from '../ports';
import type { RunRecord } from '../run/record/run-record';
import type { Kept } from '../conversation/restorable';
import { withOwnResults } from '../conversation/restorable';
import type { Item, RunItem } from '../conversation/transcript';

export interface Restored {
  /** Conversations by the id of their lane. */
  lanes: Map<string, Item[]>;
  /** What was cleared or replaced last and can be restored. */
  kept: Kept | undefined;
  /** Whether another window has the session open, so that runs without an end may be under way there. */
  isShared: boolean;
  /** Records of runs that began and never ended, as they are stored if they were interrupted. */
  interrupted: RunRecord[];
  /** The endings of such agent runs, by the id of the last step; none while the session is shared. */
  endings: Map<string, AgentEnding>;
}

interface Begun {
  at: number;
  connectionId: string;
  model: string;
  setup?: string | undefined;
  partial: LiveReplyView;
}

export function restoreLanes(lines: readonly JournalLine[], isShared = false): Restored {
  const restorer = new Restorer();
  for (const stored of lines) {
    const line = readLine(stored);
    if (line) restorer.take(line);
  }
  return restorer.finish(isShared);
}

type LineOf<Kind> = Extract<SessionLine, { kind: Kind }>;

class Restorer {
  readonly #lanes = new Map<string, Item[]>();
  readonly #ids = new Set<string>();
  readonly #runs = new Map<string, RunItem>();
  readonly #begun = new Map<string, Begun>();
  /** The last step of each agent run without an ending, by the id of the agent run. */
  readonly #unended = new Map<string, RunItem>();
  /** Ids of setups by the id of the run. */
  readonly #setups = new Map<string, string>();
  #kept: Kept | undefined;

  take(line: SessionLine): void {
    switch (line.kind) {
      case 'message':
        return this.#add(line.lane, { kind: 'message', id: line.id, message: line.message });
      case 'run':
        return this.#begin(line);
      case 'setup':
        return void this.#setups.set(line.id, line.setup);
      case 'partial':
        return this.#addPiece(line);
      case 'ended':
        return this.#end(line);
      case 'result':
        return void this.#runs.get(line.run)?.results.set(line.call, line.result);
      case 'ending':
        return this.#endAgentRun(line);
      case 'cut':
        return this.#cut(line);
      case 'clear':
        return this.#clear(line);
      case 'keep':
        return this.#keep(line);
      case 'restore':
        return this.#restore();
      case 'forget':
        this.#kept = undefined;
    }
  }

  finish(isShared: boolean): Restored {
    const interrupted = [...this.#begun].map(([runId, begun]) =>
      toInterrupted(runId, { ...begun, setup: this.#setups.get(runId) }),
    );
    for (const found of interrupted) {
      const record = isShared ? toElsewhere(found) : found;
      Object.assign(this.#runs.get(record.runId) ?? {}, { record, verdict: record.verdict });
    }
    const endings = new Map<string, AgentEnding>();
    for (const run of isShared ? [] : this.#unended.values()) {
      run.ending = toInterruptedEnding(run);
      endings.set(run.id, run.ending);
    }
    return { lanes: this.#lanes, kept: this.#kept, isShared, interrupted, endings };
  }

  #begin({ lane, id, at, step, connectionId, model }: LineOf<'run'>): void {
    if (lane === '' || id === '' || this.#ids.has(id)) return;
    const item: RunItem = { kind: 'run', id, step, results: new Map(), asked: new Set() };
    this.#runs.set(id, item);
    if (step) this.#unended.set(step.agentRunId, item);
    this.#begun.set(id, { at, connectionId, model, partial: emptyPartial() });
    this.#add(lane, item);
  }

  #addPiece({ id, content = '', reasoning = '', toolCalls }: LineOf<'partial'>): void {
    const partial = this.#begun.get(id)?.partial;
    if (!partial) return;
    partial.content += content;
    partial.reasoning += reasoning;
    if (toolCalls) partial.toolCalls = toolCalls;
  }

  #end({ id, verdict }: LineOf<'ended'>): void {
    const run = this.#runs.get(id);
    this.#begun.delete(id);
    if (run) Object.assign(run, { isStored: true, ...(verdict && { verdict }) });
  }

  #endAgentRun({ id, ending }: LineOf<'ending'>): void {
    const run = this.#runs.get(id);
    if (!run) return;
    run.ending = ending;
    this.#unended.delete(run.step?.agentRunId ?? '');
  }

  #cut({ lane, from }: LineOf<'cut'>): void {
    const items = this.#lanes.get(lane) ?? [];
    const index = items.findIndex(({ id }) => id === from);
    if (index >= 0) this.#lanes.set(lane, items.slice(0, index));
  }

  #clear({ lanes, messages }: LineOf<'clear'>): void {
    this.#kept = {
      kind: 'cleared',
      lanes: new Map(lanes.map((id) => [id, this.#lanes.get(id) ?? []])),
      messages: messages.filter(({ message }) => v.is(DocumentMessageSchema, message)),
    };
    for (const id of lanes) this.#lanes.set(id, []);
  }

  #keep({ lanes, run }: LineOf<'keep'>): void {
    const itemsOf = (id: string): Item[] => withOwnResults(this.#lanes.get(id) ?? [], run);
    this.#kept = { kind: 'replaced', lanes: new Map(lanes.map((id) => [id, itemsOf(id)])), messages: [] };
  }

  #restore(): void {
    for (const [id, items] of this.#kept?.lanes ?? []) {
      this.#lanes.set(id, items);
      for (const item of items) if (item.kind === 'run') this.#runs.set(item.id, item);
    }
    this.#kept = undefined;
  }

  /** Adds an item unless one with the same id exists. */
  #add(lane: string, item: Item): void {
    if (lane === '' || item.id === '' || this.#ids.has(item.id)) return;
    this.#ids.add(item.id);
    const items = this.#lanes.get(lane);
    if (items) items.push(item);
    else this.#lanes.set(lane, [item]);
  }
}

function toInterrupted(runId: string, { at, connectionId, model, setup, partial }: Begun): RunRecord {
  const hasPartial = partial.content !== '' || partial.reasoning !== '' || partial.toolCalls.length > 0;
  return {
    runId,
    connectionId,
    connectionLabel: connectionId,
    model,
    ...(setup && { setup }),
    startedAt: at,
    durationMs: 0,
    verdict: { kind: 'interrupted', detail: t('its playground was closed') },
    error: {
      code: 'interrupted',
      title: t('Interrupted'),
      what: t('The playground was closed, moved or reloaded while this run was under way.'),
      why: t('A run ends when its playground is closed.'),
      next: t('Run again.'),
    },
    ...(hasPartial && { partial }),
    ledger: [],
    findings: [],
  };
}

const toElsewhere = (record: RunRecord): RunRecord => ({
  ...record,
  verdict: { kind: 'interrupted', detail: t('or under way in another window') },
  error: {
    code: 'elsewhere',
    title: t('No end recorded yet'),
    what: t('The playground is open in another window, where this run may still be under way.'),
    why: t('A run ends when its playground is closed.'),
    next: t('Wait until it ends there, or run again.'),
  },
});

/** The ending as far as it is known without the records of the replies. */
function toInterruptedEnding({ step, results }: RunItem): AgentEnding {
  const answers = [...results.values()];
  return {
    stopReason: 'interrupted',
    steps: step?.number ?? 1,
    answered: answers.length,
    errors: answers.filter(({ isError }) => isError).length,
    rescued: 0,
    usage: {},
    durationMs: 0,
  };
}

const emptyPartial = (): LiveReplyView => ({
  content: '',
  reasoning: '',
  toolCalls: [],
  omitted: { content: 0, reasoning: 0, toolCalls: 0 },
});
