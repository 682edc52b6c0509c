// The view *Embeddings*: a few texts, the vectors that a model makes of them, and how alike those are.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { button } from '../components/controls';
import type { EmbeddingState } from '../embedding-state';
import { embeddingBlocker } from '../embedding-state';
import { countOf } from '../format';
import { renderLater } from '../later';
import type { Playground } from '../playground';
import type { PlaygroundState } from '../state';
import type { View } from './view';

export const EMBEDDINGS_VIEW: View = {
  id: 'embeddings',
  label: 'Embeddings',
  renderActions,
  render: (playground) => renderLater(({ renderEmbeddings }) => renderEmbeddings(playground)),
  run: (playground) => void playground.embeddings.embed(),
  stop: (playground) => playground.embeddings.stop(),
  isBusy: ({ embedding }) => embedding.pendingRunId !== undefined,
  announce,
  open: (playground) => void playground.embeddings.open(),
};

function renderActions(playground: Playground): TemplateResult {
  const { state } = playground;
  const blocker = embeddingBlocker(state);
  return html`<span class="run"
      >${button({
        label: 'Embed',
        icon: 'play',
        appearance: 'primary',
        isDisabled: blocker !== undefined,
        title: blocker?.replaceAll('`', ''),
        onClick: () => void playground.embeddings.embed(),
      })}</span
    >
    <span class="stop"
      >${button({
        label: 'Stop',
        icon: 'stop',
        isDisabled: state.embedding.pendingRunId === undefined,
        onClick: () => playground.embeddings.stop(),
      })}</span
    >`;
}

function announce({ embedding }: PlaygroundState): string {
  if (embedding.pendingRunId) return 'Embedding.';
  return embedding.last ? describeLast(embedding.last) : '';
}

function describeLast({ outcome, problem, labels }: NonNullable<EmbeddingState['last']>): string {
  const error = problem ?? outcome?.error;
  if (error) return error.title;
  return outcome?.result ? `${countOf(labels.length, 'text')} embedded.` : '';
}
