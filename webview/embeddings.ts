// The actions of the view *Embeddings*: runs, follows and finds again what it asked for. Knows no DOM element.
import type { EmbeddingOutcome, RpcClient } from '../src/protocol';
import {
  embeddingBlocker,
  filledTexts,
  withEmbeddingConnection,
  withEmbeddingDefaults,
  withEmbeddingEnded,
  withEmbeddingStarted,
} from './embedding-state';
import { LOST, toErrorInfo } from './panel-errors';
import type { Playground } from './playground';
import { Stoppable } from './stoppable';

export class Embeddings {
  readonly #playground: Playground;
  readonly #client: RpcClient;
  readonly #running: Stoppable;

  constructor(playground: Playground, client: RpcClient) {
    this.#playground = playground;
    this.#client = client;
    this.#running = new Stoppable(() => playground.tick());
  }

  /** To be called when the view is shown: what was never chosen is proposed. */
  async open(): Promise<void> {
    this.#playground.update(withEmbeddingDefaults);
    const { embedding, models } = this.#playground.state;
    const { connectionId } = embedding;
    if (connectionId === '' || models[connectionId] !== undefined) return;
    await this.#playground.readModels(connectionId);
    this.#playground.update(withEmbeddingDefaults);
  }

  async chooseConnection(connectionId: string): Promise<void> {
    this.#playground.update((state) => withEmbeddingConnection(state, connectionId));
    await this.open();
  }

  async embed(): Promise<void> {
    const { state } = this.#playground;
    if (embeddingBlocker(state)) return;
    const { connectionId, model } = state.embedding;
    const runId = crypto.randomUUID();
    const form = { runId, connectionId, model: model.trim(), texts: filledTexts(state.embedding) };
    this.#playground.update((before) => withEmbeddingStarted(before, runId, Date.now()));
    this.#playground.save();
    await this.#follow(runId, (signal) => this.#client.request('embed/run', form, { signal }));
  }

  /** Waits again for what was under way when the panel went away. */
  async attach(): Promise<void> {
    const { pendingRunId: runId } = this.#playground.state.embedding;
    if (runId === undefined) return;
    await this.#follow(runId, (signal) => this.#client.request('embed/attach', { runId }, { signal }));
  }

  stop(): void {
    this.#running.stop();
  }

  #follow(runId: string, ask: (signal: AbortSignal) => Promise<EmbeddingOutcome | null>): Promise<void> {
    return this.#running.run(async (signal) => {
      const ending = await ask(signal).then(
        (outcome) => (outcome ? { outcome } : { problem: LOST }),
        (error: unknown) => ({ problem: toErrorInfo(error) }),
      );
      this.#playground.update((state) => withEmbeddingEnded(state, runId, ending));
    });
  }
}
