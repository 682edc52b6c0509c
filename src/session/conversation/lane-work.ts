// The work of one lane: sends pending messages one by one and requests a reply to each, with a chat or an agent run. Knows of
// the lane only the sink.
import type { DocumentLane, DocumentMessage, RunKind } from '../../protocol';
import type { EditableDocument } from '../editing/editable-document';
import { isAsked } from './pending-messages';
import type { AgentRequest, AgentServices } from '../run/agent-run';
import { AgentRun } from '../run/agent-run';
import { ChatStep } from '../run/chat-step';
import type { RunSink } from '../run/run-sink';
import type { Asked } from '../run/setup';
import { openRun } from '../run/setup';
import { endsWithReply } from './next-run';
import type { Item } from './transcript';
import { callsBefore, hasOpenCalls, toMessages } from './transcript';

export interface WorkOptions {
  kind: RunKind;
  isStepMode?: boolean | undefined;
  /** Repeats the last step where nothing else is to be done, whatever has changed since. */
  isRepeat?: boolean | undefined;
  /** Lanes in which no run begins. */
  leftOut?: readonly string[] | undefined;
}

export class LaneWork {
  readonly #sink: RunSink;
  readonly #config: DocumentLane;
  readonly #options: WorkOptions;
  readonly #signal: AbortSignal;
  readonly #parts: LaneWorkParts;

  /** @param config The lane's settings in the document when the work begins. */
  constructor(
    sink: RunSink,
    config: DocumentLane,
    options: WorkOptions,
    signal: AbortSignal,
    parts: LaneWorkParts,
  ) {
    this.#sink = sink;
    this.#config = config;
    this.#options = options;
    this.#signal = signal;
    this.#parts = parts;
  }

  /**
   * Sends what is pending, or requests the last reply again.
   * @param messages `ownMessage`: a message that could not be added to the document. `heldDraft`: the draft, which is not sent.
   */
  async proceed({
    ownMessage,
    heldDraft,
  }: { ownMessage?: string | undefined; heldDraft?: DocumentMessage | undefined } = {}): Promise<void> {
    const sink = this.#sink;
    const pending = this.#parts.pending().filter((message) => message !== heldDraft);
    const isPending = pending.length > 0;
    const isSent = !isPending || (await this.sendPending(pending));
    if (ownMessage !== undefined && isSent) return this.sendMessage(ownMessage);
    if (isPending) return;
    const last = sink.items.at(-1);
    if (!last) return;
    const isContinued = this.#options.kind === 'agent' && hasOpenCalls(sink.items);
    if (!isContinued && endsWithReply(sink.items)) sink.cutFrom(last.id);
    await this.ask();
  }

  /** Cuts the conversation off at this item and asks again what was asked there, and then what follows in the document. */
  async askAgain(from: Item, heldDraft: DocumentMessage | undefined): Promise<void> {
    this.#sink.cutFrom(from.id);
    if (from.kind === 'run' && !(await this.#hasReply())) return;
    await this.sendPending(this.#parts.pending().filter((message) => message !== heldDraft));
  }

  /** Sends a message in this lane only. */
  async sendMessage(text: string): Promise<void> {
    this.#sink.addMessage({ role: 'user', content: text });
    await this.ask();
  }

  /** @returns whether all messages were sent and answered */
  async sendPending(pending = this.#parts.pending()): Promise<boolean> {
    for (const [index, message] of pending.entries()) {
      this.#parts.send(message);
      if (isAsked(pending, index) && !(await this.#hasReply())) return false;
    }
    return true;
  }

  /** Asks. @returns whether a reply came and nothing was stopped */
  async #hasReply(): Promise<boolean> {
    await this.ask();
    const last = this.#sink.items.at(-1);
    return !this.#signal.aborted && last?.kind === 'run' && last.record?.turn !== undefined;
  }

  /** Requests one reply, or runs the agent to its end, with the conversation as it is now. */
  async ask(): Promise<void> {
    const { services, ask, pause } = this.#parts;
    const { kind, isStepMode = false } = this.#options;
    const [sink, signal, runId] = [this.#sink, this.#signal, crypto.randomUUID()];
    const asked = this.#toAsked();
    const { connection: connectionId, model = '' } = asked.lane;
    const opening = openRun(services, asked, signal);
    if (kind === 'agent') {
      const agent = { agentRunId: runId, opened: await opening, isStepMode, signal, ask, pause };
      await new AgentRun(services, sink, agent).run();
      return;
    }
    sink.changeRun({ runId, phase: 'running', since: services.clock.now() });
    await new ChatStep(services, sink, {
      runId,
      begun: { connectionId, model },
      opened: opening,
      callsBefore: callsBefore(sink.items),
      signal,
    }).run();
  }

  #toAsked(): Asked {
    // An agent first answers the calls that the last reply left open.
    const messages = toMessages(this.#sink.items, this.#options.kind === 'agent');
    return { ...toAsked(this.#parts.editable), lane: this.#config, messages };
  }
}

/** What a run of any lane is asked to do, as the document says now. */
export function toAsked({ sent }: EditableDocument): Omit<Asked, 'lane' | 'messages'> {
  return {
    system: sent.system,
    tools: sent.tools.filter(({ offered }) => offered),
    idleTools: sent.tools.flatMap(({ offered, name }) => (offered ? [] : [name])),
  };
}

interface LaneWorkParts extends Pick<AgentRequest, 'ask' | 'pause'> {
  editable: EditableDocument;
  services: AgentServices;
  /** Messages that were not yet sent in the lane. */
  pending: () => readonly DocumentMessage[];
  /** Adds a message of the document to the conversation. */
  send: (message: DocumentMessage) => void;
}
