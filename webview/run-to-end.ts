// Runs to the end from the panel: starts them, follows them, finds them again. Knows no DOM element.
import type { AgentOutcome, RpcClient } from '../src/protocol';
import { toLimits } from './agent-limits';
import { withAgentEnded, withAgentProgress, withAgentStarted, withAgentStep } from './agent-state';
import { LOST, toErrorInfo } from './panel-errors';
import type { Playground } from './playground';
import { canGoOn, goOnBlocker, toConversation, toEndBlocker, toRunForm } from './run-request';

export class RunToEnd {
  readonly #playground: Playground;
  readonly #client: RpcClient;

  constructor(playground: Playground, client: RpcClient) {
    this.#playground = playground;
    this.#client = client;
    client.on('run/progress', (progress) => {
      const { state } = playground;
      const next = withAgentProgress(state, progress, Date.now());
      // a step that begins is kept, what is only on its way is not
      if (next.entries !== state.entries) playground.update(() => next);
      else playground.show(next);
    });
    client.on('agent/step', (step) => playground.update((state) => withAgentStep(state, step)));
  }

  /** Sends the message box, or goes on with the conversation as it is. */
  async start(): Promise<void> {
    const { state } = this.#playground;
    if (toEndBlocker(state)) return;
    if (state.draft.trim() === '') return this.goOn();
    const entry = { kind: 'user' as const, id: crypto.randomUUID(), content: state.draft };
    this.#playground.set({ draft: '', entries: [...state.entries, entry] });
    return this.#send();
  }

  /** From the last reply, whose open calls are answered first; a run that brought no reply is replaced. */
  async goOn(): Promise<void> {
    const { entries } = this.#playground.state;
    if (goOnBlocker(this.#playground.state) || !canGoOn(entries)) return;
    const last = entries.at(-1);
    const isLost = last?.kind === 'run' && !last.outcome?.turn;
    if (isLost) this.#playground.set({ entries: entries.slice(0, -1) });
    return this.#send();
  }

  /** Waits again for the run that was under way when the panel went away. */
  async attach(): Promise<void> {
    const { runId } = this.#playground.state.agent ?? {};
    if (runId === undefined) return;
    await this.#follow(runId, (signal) => this.#client.request('agent/attach', { runId }, { signal }));
  }

  async #send(): Promise<void> {
    const { state } = this.#playground;
    const runId = crypto.randomUUID();
    const form = {
      ...toRunForm(state, runId),
      messages: toConversation(state.entries),
      ...toLimits(state.lane.limits),
    };
    this.#playground.update((before) => withAgentStarted(before, runId, Date.now()));
    // before the request goes out: a window that is closed right now must find its run again
    this.#playground.save();
    await this.#follow(runId, (signal) => this.#client.request('agent/run', form, { signal }));
  }

  #follow(runId: string, ask: (signal: AbortSignal) => Promise<AgentOutcome | null>): Promise<void> {
    return this.#playground.running.run(async (signal) => {
      const result = await ask(signal).catch((error: unknown) => toErrorInfo(error));
      this.#playground.update((state) => withAgentEnded(state, runId, result ?? LOST));
    });
  }
}
