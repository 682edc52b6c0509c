// The state of the view *Embeddings* and what changes it. Pure functions, no DOM, no host.
import type { EmbeddingOutcome, ErrorInfo } from '../src/protocol';
import type { PlaygroundState } from './state';

export const MAX_TEXTS = 24;
/** In characters, for each text. */
export const MAX_TEXT_LENGTH = 8000;
/** A result names its texts by their beginning. */
const LABEL_LENGTH = 200;

export interface EmbeddingState {
  /** '' until it is known: the lane's own. */
  connectionId: string;
  model: string;
  texts: string[];
  pendingRunId?: string | undefined;
  /** Milliseconds since the epoch. */
  pendingSince?: number | undefined;
  /** What the last run came to, about these texts. */
  last?: EmbeddingResult | undefined;
}

export interface EmbeddingResult {
  /** The beginnings of the texts that were sent. */
  labels: string[];
  outcome?: EmbeddingOutcome | undefined;
  /** Present when no outcome will come: the request itself failed. */
  problem?: ErrorInfo | undefined;
}

export const initialEmbedding = (): EmbeddingState => ({
  connectionId: '',
  model: '',
  texts: ['Snow is falling in Oslo.', 'In Oslo, snow falls today.', 'The invoice is due on Friday.'],
});

export function withEmbedding(state: PlaygroundState, change: Partial<EmbeddingState>): PlaygroundState {
  return { ...state, embedding: { ...state.embedding, ...change } };
}

/** The lane's connection and a model that embeds, where nothing was chosen yet. */
export function withEmbeddingDefaults(state: PlaygroundState): PlaygroundState {
  const { embedding, lane, models } = state;
  const connectionId = embedding.connectionId || lane.connectionId;
  const model = embedding.model || (models[connectionId]?.embedModel ?? '');
  if (connectionId === embedding.connectionId && model === embedding.model) return state;
  return withEmbedding(state, { connectionId, model });
}

/** The model is another server's own. */
export function withEmbeddingConnection(state: PlaygroundState, connectionId: string): PlaygroundState {
  if (state.embedding.connectionId === connectionId) return state;
  return withEmbeddingDefaults(withEmbedding(state, { connectionId, model: '' }));
}

export function withText(state: PlaygroundState, index: number, text: string): PlaygroundState {
  return withEmbedding(state, { texts: state.embedding.texts.with(index, text) });
}

export function withoutText(state: PlaygroundState, index: number): PlaygroundState {
  return withEmbedding(state, { texts: state.embedding.texts.toSpliced(index, 1) });
}

export function withEmbeddingStarted(state: PlaygroundState, runId: string, now: number): PlaygroundState {
  const labels = filledTexts(state.embedding).map((text) => text.slice(0, LABEL_LENGTH));
  return { ...withEmbedding(state, { pendingRunId: runId, pendingSince: now, last: { labels } }), now };
}

/** A run that is no longer waited for is ignored. */
export function withEmbeddingEnded(
  state: PlaygroundState,
  runId: string,
  ending: { outcome: EmbeddingOutcome } | { problem: ErrorInfo },
): PlaygroundState {
  const { last, pendingRunId } = state.embedding;
  if (pendingRunId !== runId || !last) return state;
  const change = { pendingRunId: undefined, pendingSince: undefined, last: { ...last, ...ending } };
  return withEmbedding(state, change);
}

/** An empty text has no vector. */
export const filledTexts = ({ texts }: EmbeddingState): string[] =>
  texts.filter((text) => text.trim() !== '');

/** @returns why nothing can be embedded, in one sentence; undefined when it can. */
export function embeddingBlocker({ embedding, snapshot }: PlaygroundState): string | undefined {
  if (embedding.pendingRunId) return 'A run is under way.';
  const connection = snapshot?.connections.find(({ id }) => id === embedding.connectionId);
  if (!connection) return snapshot ? 'Choose a connection.' : 'The connections are not known yet.';
  if (connection.problem) return connection.problem;
  if (embedding.model.trim() === '') return 'Choose a model that embeds.';
  const texts = filledTexts(embedding);
  if (texts.length === 0) return 'Write a text to embed.';
  const long = embedding.texts.findIndex(({ length }) => length > MAX_TEXT_LENGTH);
  return long < 0 ? undefined : `Text ${long + 1} is longer than ${MAX_TEXT_LENGTH} characters.`;
}
