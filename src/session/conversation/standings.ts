// Where the lanes of an open playground stand: what their last runs were set to and how that differs from now, what a run
// would do, and what prevents it. Computed when it is read, because lanes change far more often.
import { t } from '@vscode/l10n';
import type {
  ConnectionView,
  DocumentLane,
  DocumentMessage,
  LaneEntry,
  LaneStanding,
  SentView,
} from '../../protocol';
import type { EditableDocument } from '../editing/editable-document';
import { setupKey } from '../journal/run-lines';
import type { Journal } from '../ports';
import type { Asked } from '../run/setup';
import { readSetup } from '../run/setup';
import { toSentView } from '../run/setup-changes';
import type { Conversations } from './conversation';
import type { Lane } from './lane';
import { toAsked } from './lane-work';
import type { Lanes } from './lanes';
import { toNextRun } from './next-run';
import { toMessage } from './pending-messages';
import { toMessageEntry } from './transcript';

interface Parts {
  editable: EditableDocument;
  journal: Journal;
  lanes: Lanes;
  conversations: Pick<Conversations, 'draft' | 'pendingOf' | 'unlikeIn' | 'load'>;
  /** Undefined until the connections are known. */
  connections: () => readonly ConnectionView[] | undefined;
}

interface Standing {
  pending: readonly DocumentMessage[];
  view: LaneStanding;
  /** The standing as text, to notice that it has changed. */
  text: string;
}

export class Standings {
  readonly #parts: Parts;
  readonly #known = new Map<string, Standing>();
  /** What a run would be asked for now, without its lane and messages, of one version of the document. */
  #asked: { version: number; asked: Omit<Asked, 'lane' | 'messages'> } | undefined;
  /** By lane id: what was computed last, and from what. */
  readonly #sent = new Map<string, { from: readonly unknown[]; sent: SentView }>();
  /** By lane id: the setup that is being read, or was not found. */
  readonly #wanted = new Map<string, string>();
  #isOld = true;
  #isRefreshing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** To be called when the document, the connections or a lane has changed. @returns false for a change that comes from here */
  invalidate(): boolean {
    if (this.#isRefreshing) return false;
    this.#isOld = true;
    return true;
  }

  /** Gives each lane whose standing has changed another version. To be called before versions are compared. */
  refresh(): void {
    if (!this.#isOld) return;
    this.#isOld = false;
    this.#isRefreshing = true;
    const { lanes, conversations } = this.#parts;
    // Whether a message is the draft, and so not pending, depends on all lanes.
    const { draft } = conversations;
    for (const lane of lanes.open) {
      const pending = conversations.pendingOf(lane.id, draft);
      const view = this.#toView(lane, pending);
      const now: Standing = { pending, view, text: JSON.stringify(view) };
      const known = this.#known.get(lane.id) ?? { pending: [], text: '{}' };
      this.#known.set(lane.id, now);
      const isSame =
        known.pending.length === pending.length &&
        known.pending.every((message, index) => message === pending[index]);
      if (!isSame || known.text !== now.text) lane.restate(!isSame);
    }
    this.#isRefreshing = false;
  }

  /** The standing of a lane now. */
  of(laneId: string): LaneStanding {
    this.refresh();
    return this.#known.get(laneId)?.view ?? {};
  }

  /** The lane and its standing, after everything that this depends on was read from the store. */
  readonly read = async (lane: Lane): Promise<LaneStanding & { lane: Lane }> => {
    await this.load(lane);
    return { lane, ...this.of(lane.id) };
  };

  /** Reads the last run of a lane, and what it was set to, from the store. */
  async load(lane: Lane): Promise<void> {
    const last = lane.lastRun?.run;
    if (last) await this.#parts.conversations.load(lane, [last]);
    const { run, setup } = lane.lastRun ?? {};
    const id = run?.record?.setup;
    if (!run || setup || id === undefined) return;
    this.#wanted.set(lane.id, id);
    const found = readSetup(await this.#parts.journal.readBody(setupKey(id)));
    if (found && lane.lastRun?.run.record?.setup === id) lane.holdSetup(run.id, found);
  }

  pendingEntries(laneId: string): LaneEntry[] {
    return this.#parts.conversations.pendingOf(laneId).map((message, index) => ({
      ...toMessageEntry({ id: `pending-${index}`, message: toMessage(message) }),
      isPending: true,
    }));
  }

  #toView(lane: Lane, pending: readonly DocumentMessage[]): LaneStanding {
    const { lanes } = this.#parts.editable.document;
    const place = lanes.findIndex(({ id }) => id === lane.id);
    const config = lanes[place];
    if (!config) return {};
    const sent = this.#sentOf(lane, config);
    const isChanged = sent !== undefined && sent.changed.length > 0;
    const next = toNextRun(lane.items, pending, isChanged);
    const blocker = laneBlocker(config, this.#parts.connections(), lanes.length > 1 ? place + 1 : undefined);
    return { ...(sent && { sent }), ...(next && { next }), ...(blocker !== undefined && { blocker }) };
  }

  #sentOf(lane: Lane, config: DocumentLane): SentView | undefined {
    const { run, setup } = lane.lastRun ?? {};
    const { record, step } = run ?? {};
    if (!record && !setup) return undefined;
    if (setup) this.#wanted.delete(lane.id);
    // Only where a conversation that was removed or cleared is back: otherwise the setup was read before.
    else if (record?.setup !== undefined && this.#wanted.get(lane.id) !== record.setup) void this.load(lane);
    const view = this.#parts.connections()?.find(({ id }) => id === config.connection);
    const unlike = this.#parts.conversations.unlikeIn(lane.id);
    const asked = this.#askedNow();
    const from = [record, setup, config, view, unlike, asked];
    const known = this.#sent.get(lane.id);
    if (known?.from.every((one, index) => one === from[index])) return known.sent;
    const { connectionId = '', model = '' } = record ?? {};
    const past = { connectionId, model, isAgent: step !== undefined, setup };
    const compared = toSentView(past, { asked: { ...asked, lane: config }, view });
    const sent: SentView = {
      ...compared,
      changed: [...compared.changed, ...(unlike ? ['messages' as const] : [])],
    };
    this.#sent.set(lane.id, { from, sent });
    return sent;
  }

  #askedNow(): Omit<Asked, 'lane' | 'messages'> {
    const { editable } = this.#parts;
    if (this.#asked?.version !== editable.version) {
      this.#asked = { version: editable.version, asked: toAsked(editable) };
    }
    return this.#asked.asked;
  }
}

/** @param number The lane's, from 1; undefined for the only one. */
export function laneBlocker(
  { connection: id, model }: DocumentLane,
  connections: readonly ConnectionView[] | undefined,
  number: number | undefined,
): string | undefined {
  if (!connections) return undefined;
  const connection = connections.find((one) => one.id === id);
  if (!connection) {
    return number === undefined
      ? t('The connection `{0}` of the lane is not set up: choose another one in its settings.', id)
      : t('The connection `{0}` of lane {1} is not set up: choose another one in its settings.', id, number);
  }
  if (connection.problem !== undefined) return connection.problem;
  if ((model || connection.model || '').trim() !== '') return undefined;
  return number === undefined
    ? t('Choose a model in the settings of the lane.')
    : t('Choose a model in the settings of lane {0}.', number);
}
