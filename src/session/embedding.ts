// Embeds the texts of a session and compares the vectors, which are not passed on. Independent of views.
import { t } from '@vscode/l10n';
import { createRedactor, ProviderError } from '../library';
import { compareVectors, diagnoseVectors } from '../inspect';
import type { EmbeddingOutcome, EmbeddingSnapshot, ErrorInfo } from '../protocol';
import { checkSendable } from './check-sendable';
import type { EditableDocument } from './editing/editable-document';
import type { Journal, OpenConnection } from './ports';
import { refuse } from './refusal';
import type { GateQueue } from './request-gate';
import { appendLine } from './journal/journal-lines';
import { restoreEmbedding } from './journal/restore-embedding';
import type { StepServices } from './run/chat-step';
import { formatRetry } from './run/retry-log';
import { toWholeCharacter } from './run/record/run-record';
import { untilAborted } from './wait-for';

/** Number of components of each vector that are shown. */
const SHOWN_COMPONENTS = 6;
/** Length of the beginning of a text that labels its result, in UTF-16 code units. */
const LABEL_LENGTH = 200;

type EmbeddingRequest = { runId: string; connectionId: string; model: string; texts: string[] };

export class Embedding {
  readonly #editable: EditableDocument;
  readonly #services: StepServices;
  readonly #journal: Journal;
  readonly #onChange: () => void;
  #snapshot: EmbeddingSnapshot;
  #controller: AbortController | undefined;
  #isClosed = false;

  constructor(editable: EditableDocument, services: StepServices, journal: Journal, onChange: () => void) {
    this.#editable = editable;
    this.#services = services;
    this.#journal = journal;
    this.#onChange = onChange;
    this.#snapshot = { version: 1, labels: [], ...restoreEmbedding(journal) };
  }

  get snapshot(): EmbeddingSnapshot {
    return this.#snapshot;
  }

  /** Resolves when the embedding has begun. */
  async start(): Promise<void> {
    if (this.#isClosed) throw refuse(t('The playground is closed.'), t('Open it again.'));
    if (this.#controller) throw refuse(t('Texts are being embedded.'), t('Stop it, or wait for its end.'));
    await this.#editable.flush();
    checkSendable(this.#editable);
    const { embedding, lanes } = this.#editable.document;
    const texts = (embedding.texts ?? []).filter((text) => text.trim() !== '');
    if (texts.length === 0) throw refuse(t('There is no text to embed.'), t('Write one.'));
    const connectionId = embedding.connection ?? lanes[0]?.connection ?? 'demo';
    const controller = new AbortController();
    this.#controller = controller;
    const labels = texts.map((text) => text.slice(0, toWholeCharacter(text, LABEL_LENGTH)));
    this.#set({ since: this.#services.clock.now(), labels });
    const asked = { runId: crypto.randomUUID(), connectionId, model: embedding.model ?? '', texts };
    // Records the start, so that an interrupted embedding can be told after a reload.
    const { texts: _sent, ...begun } = asked;
    appendLine(this.#journal, { kind: 'embedding', labels, begun });
    void this.#run(asked, labels, controller.signal);
  }

  /** Stops the embedding in progress; none can be started afterwards. */
  close(): void {
    this.#isClosed = true;
    this.stop();
  }

  stop(): void {
    this.#controller?.abort(new Error('stopped'));
  }

  async #run(asked: EmbeddingRequest, labels: string[], signal: AbortSignal): Promise<void> {
    const outcome = await this.#embed(asked, labels, signal);
    this.#controller = undefined;
    appendLine(this.#journal, { kind: 'embedding', labels, outcome });
    this.#set({ labels, outcome });
  }

  #set(change: Omit<EmbeddingSnapshot, 'version'>): void {
    this.#snapshot = { version: this.#snapshot.version + 1, ...change };
    this.#onChange();
  }

  /** Never rejects: every failure becomes an outcome. */
  async #embed(asked: EmbeddingRequest, labels: string[], signal: AbortSignal): Promise<EmbeddingOutcome> {
    const { runId, connectionId, texts } = asked;
    const { clock, connections, gate, log } = this.#services;
    let startMs = clock.elapsed();
    let opened: OpenConnection | undefined;
    let retries = 0;
    const describe = (attempts = opened ? retries + 1 : 0) => ({
      runId,
      connectionId,
      connectionLabel: opened?.view.label ?? connectionId,
      model: opened?.model ?? asked.model,
      durationMs: Math.max(0, Math.round(clock.elapsed() - startMs)),
      attempts,
    });
    try {
      const opening = connections.openEmbedder({
        connectionId,
        model: asked.model,
        onRetry: (info) => {
          retries += 1;
          log.warn(formatRetry(opened?.view.label ?? connectionId, info));
        },
      });
      opened = await untilAborted(signal, opening);
      const { provider, view, model } = opened;
      log.info(`${view.label}: embedding started, model ${model}, texts: ${texts.length}`);
      let usage: EmbeddingOutcome['usage'];
      // While the request is queued its position may change; `since` stays the moment at which it was queued.
      const onQueue = (queue: GateQueue | undefined): void =>
        this.#set({ since: queue ? this.#snapshot.since : clock.now(), labels, queue });
      const work = (): Promise<number[][]> => {
        // Waiting for other requests does not count as duration.
        startMs = clock.elapsed();
        onQueue(undefined);
        return provider.embedMany(texts, { signal, onUsage: (reported) => (usage = reported) });
      };
      const vectors = await gate.run(opened.gate, work, { signal, onQueue });
      return { ...describe(), result: toResult(vectors, model), ...(usage && { usage }) };
    } catch (error) {
      const info = signal.aborted ? stopped() : await connections.explain(error, connectionId);
      // A retry that was still being waited for has not begun, so the error's own count is used.
      const attempts = error instanceof ProviderError ? error.attempts : undefined;
      return { ...describe(attempts), error: createRedactor(opened?.secrets ?? []).value(info) };
    }
  }
}

const stopped = (): ErrorInfo => ({
  code: 'aborted',
  title: t('Stopped'),
  what: t('The run was stopped.'),
  why: t('Stop was pressed, or the playground was closed.'),
  next: t('Embed again.'),
});

function toResult(vectors: readonly (readonly number[])[], model: string): EmbeddingOutcome['result'] {
  const comparison = compareVectors(vectors);
  return {
    vectors: comparison.shapes.map(({ dimension, norm }, index) => ({
      dimension,
      norm: Number.isNaN(norm) ? null : norm,
      head: (vectors[index] ?? []).slice(0, SHOWN_COMPONENTS),
    })),
    similarity: comparison.similarity,
    findings: diagnoseVectors(comparison, model),
  };
}
