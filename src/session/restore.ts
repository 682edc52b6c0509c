// Restores the conversations of a session from its journal. A run without an end becomes an interrupted one, with everything
// that had arrived, or one that may be under way in another window. Pure; ignores lines it does not know.
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import type { AgentEnding, LiveReplyView } from '../protocol';
import { DocumentMessageSchema } from '../protocol';
import type { Message } from '../types';
import type { RemovedMessage } from './message-edits';
import type { JournalLine } from './ports';
import type { RunRecord } from './run/run-record';
import { isVerdict } from './run-lines';
import type { Item, RunItem, ToolAnswer } from './transcript';

/** What was cleared last and can be restored. */
export interface Cleared {
  /** The cleared conversations by the id of their lane. */
  lanes: Map<string, Item[]>;
  /** The messages that were removed from the document. */
  messages: readonly RemovedMessage[];
}

export interface Restored {
  /** Conversations by the id of their lane. */
  lanes: Map<string, Item[]>;
  cleared: Cleared | undefined;
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
  for (const line of lines) restorer.take(line);
  return restorer.finish(isShared);
}

class Restorer {
  readonly #lanes = new Map<string, Item[]>();
  readonly #ids = new Set<string>();
  readonly #runs = new Map<string, RunItem>();
  readonly #begun = new Map<string, Begun>();
  /** The last step of each agent run without an ending, by the id of the agent run. */
  readonly #unended = new Map<string, RunItem>();
  /** Ids of setups by the id of the run. */
  readonly #setups = new Map<string, string>();
  #cleared: Cleared | undefined;

  take(line: JournalLine): void {
    if (typeof line.kind === 'string') this.#takers.get(line.kind)?.(line);
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
    return { lanes: this.#lanes, cleared: this.#cleared, isShared, interrupted, endings };
  }

  readonly #takers = new Map<string, (line: JournalLine) => void>([
    [
      'message',
      ({ lane, id, message }) => {
        if (isMessage(message)) this.#add(lane, id, (own) => ({ kind: 'message', id: own, message }));
      },
    ],
    ['run', (line) => this.#takeRun(line)],
    ['setup', ({ id, setup }) => void this.#setups.set(text(id), text(setup))],
    [
      'partial',
      ({ id, content, reasoning, toolCalls }) => {
        const partial = this.#begun.get(text(id))?.partial;
        if (!partial) return;
        partial.content += text(content);
        partial.reasoning += text(reasoning);
        if (Array.isArray(toolCalls)) partial.toolCalls = toolCalls.filter(isLiveCall);
      },
    ],
    [
      'ended',
      ({ id, verdict }) => {
        const run = this.#runs.get(text(id));
        this.#begun.delete(text(id));
        if (run) Object.assign(run, { isStored: true, ...(isVerdict(verdict) && { verdict }) });
      },
    ],
    [
      'result',
      ({ run, call, result }) => {
        if (isAnswer(result) && isIndex(call)) this.#runs.get(text(run))?.results.set(call, result);
      },
    ],
    [
      'ending',
      ({ id, ending }) => {
        const run = this.#runs.get(text(id));
        if (!run || !isEnding(ending)) return;
        run.ending = ending;
        this.#unended.delete(run.step?.agentRunId ?? '');
      },
    ],
    [
      'cut',
      ({ lane, from }) => {
        const items = this.#lanes.get(text(lane)) ?? [];
        const index = items.findIndex(({ id }) => id === from);
        if (index >= 0) this.#lanes.set(text(lane), items.slice(0, index));
      },
    ],
    [
      'clear',
      ({ lanes, messages }) => {
        const ids = Array.isArray(lanes) ? lanes.filter((id) => typeof id === 'string') : [];
        this.#cleared = {
          lanes: new Map(ids.map((id) => [id, this.#lanes.get(id) ?? []])),
          messages: Array.isArray(messages) ? messages.filter(isRemovedMessage) : [],
        };
        for (const id of ids) this.#lanes.set(id, []);
      },
    ],
    [
      'restore',
      () => {
        for (const [id, items] of this.#cleared?.lanes ?? []) this.#lanes.set(id, items);
        this.#cleared = undefined;
      },
    ],
    ['forget', () => void (this.#cleared = undefined)],
  ]);

  #takeRun({ lane, id, at, step, connectionId, model }: JournalLine): void {
    this.#add(lane, id, (own) => {
      const known = isStep(step) ? step : undefined;
      const item: RunItem = { kind: 'run', id: own, step: known, results: new Map(), asked: new Set() };
      this.#runs.set(own, item);
      if (known) this.#unended.set(known.agentRunId, item);
      this.#begun.set(own, {
        at: typeof at === 'number' ? at : 0,
        connectionId: text(connectionId),
        model: text(model),
        partial: emptyPartial(),
      });
      return item;
    });
  }

  /** Adds an item unless one with the same id exists. */
  #add(lane: unknown, id: unknown, make: (id: string) => Item): void {
    if (typeof lane !== 'string' || typeof id !== 'string' || this.#ids.has(id)) return;
    this.#ids.add(id);
    const items = this.#lanes.get(lane);
    if (items) items.push(make(id));
    else this.#lanes.set(lane, [make(id)]);
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

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const ROLES: readonly unknown[] = ['system', 'user', 'assistant', 'tool'];
const isMessage = (value: unknown): value is Message =>
  isObject(value) &&
  ROLES.includes(value.role) &&
  typeof value.content === 'string' &&
  (value.toolCalls === undefined || (Array.isArray(value.toolCalls) && value.toolCalls.every(isCall)));
const isRemovedMessage = (value: unknown): value is RemovedMessage =>
  isObject(value) && isIndex(value.place) && v.is(DocumentMessageSchema, value.message);
const isCall = (value: unknown): boolean =>
  isObject(value) && typeof value.id === 'string' && typeof value.name === 'string';
const isStep = (value: unknown): value is NonNullable<RunItem['step']> =>
  isObject(value) && typeof value.agentRunId === 'string' && typeof value.number === 'number';
const isAnswer = (value: unknown): value is ToolAnswer =>
  isObject(value) && typeof value.content === 'string' && typeof value.isError === 'boolean';
const isEnding = (value: unknown): value is AgentEnding =>
  isObject(value) && typeof value.stopReason === 'string' && isObject(value.usage);
const isLiveCall = (value: unknown): value is LiveReplyView['toolCalls'][number] =>
  isObject(value) && typeof value.name === 'string' && typeof value.arguments === 'string';
