// The work of one lane: sends pending messages one by one and requests a reply to each, with a chat or an agent run.
import type { DocumentLane, DocumentMessage } from '../protocol';
import type { EditableDocument } from './editable-document';
import type { Lane } from './lane';
import { isAsked, toMessage } from './pending-messages';
import type { UserInput } from './user-input';
import type { AgentServices } from './run/agent-run';
import { AgentRun } from './run/agent-run';
import { ChatStep } from './run/chat-step';
import { callsBefore, hasOpenCalls, isAnswered, toMessages } from './transcript';

export type RunKind = 'chat' | 'agent';

export interface RunOptions {
  kind: RunKind;
  isStepMode?: boolean | undefined;
  /** Lanes in which no run begins. */
  leftOut?: readonly string[] | undefined;
}

export class LaneWork {
  readonly #lane: Lane;
  readonly #config: DocumentLane;
  readonly #options: RunOptions;
  readonly #signal: AbortSignal;
  readonly #parts: LaneWorkParts;

  /** @param config The lane's settings in the document when the work begins. */
  constructor(
    lane: Lane,
    config: DocumentLane,
    options: RunOptions,
    signal: AbortSignal,
    parts: LaneWorkParts,
  ) {
    this.#lane = lane;
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
    const lane = this.#lane;
    const pending = this.#parts.pending().filter((message) => message !== heldDraft);
    const isPending = pending.length > 0;
    const isSent = !isPending || (await this.sendPending(pending));
    if (ownMessage !== undefined && isSent) return this.sendMessage(ownMessage);
    if (isPending) return;
    const last = lane.items.at(-1);
    if (!last) return;
    const isContinued = this.#options.kind === 'agent' && hasOpenCalls(lane.items);
    // A reply whose calls all have results is part of the request; any other last reply is replaced.
    const isReplaced = last.kind === 'run' && !isAnswered(last) && !isContinued;
    if (isReplaced) lane.cutFrom(last.id);
    await this.ask();
  }

  /** Sends a message in this lane only. */
  async sendMessage(text: string): Promise<void> {
    this.#lane.addMessage({ role: 'user', content: text });
    await this.ask();
  }

  /** @returns whether all messages were sent and answered */
  async sendPending(pending = this.#parts.pending()): Promise<boolean> {
    const lane = this.#lane;
    for (const [index, message] of pending.entries()) {
      lane.addMessage(toMessage(message));
      if (!isAsked(pending, index)) continue;
      await this.ask();
      const last = lane.items.at(-1);
      const hasFailed = last?.kind !== 'run' || !last.record?.turn;
      if (this.#signal.aborted || hasFailed) return false;
    }
    return true;
  }

  /** Requests one reply, or runs the agent to its end, with the conversation as it is now. */
  async ask(): Promise<void> {
    const lane = this.#lane;
    const { editable, services, userInput } = this.#parts;
    const { system } = editable.document;
    const tools = editable.tools.filter(({ tool }) => tool.offered);
    const idleTools = editable.tools.flatMap(({ tool }) => (tool.offered ? [] : tool.name));
    const runId = crypto.randomUUID();
    if (this.#options.kind === 'agent') {
      const { isStepMode = false } = this.#options;
      const asked = {
        agentRunId: runId,
        lane: this.#config,
        system,
        tools,
        idleTools,
        isStepMode,
        signal: this.#signal,
        ask: (id: string, call: number, own: AbortSignal) => userInput.ask(id, call, own),
        pause: (own: AbortSignal, say: (text: string) => void) => userInput.pause(lane.id, own, say),
      };
      await new AgentRun(services, lane, asked).run();
      return;
    }
    const { items } = lane;
    lane.changeRun({ runId, phase: 'running', since: services.clock.now() });
    const messages = toMessages(items);
    const chat = new ChatStep(services, lane, {
      runId,
      lane: this.#config,
      system,
      messages: () => messages,
      tools,
      idleTools,
      callsBefore: callsBefore(items),
      signal: this.#signal,
    });
    await chat.run();
  }
}

interface LaneWorkParts {
  editable: EditableDocument;
  services: AgentServices;
  userInput: UserInput;
  /** Messages that were not yet sent in the lane. */
  pending: () => DocumentMessage[];
}
