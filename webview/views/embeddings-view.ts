// The view *Embeddings*: a few texts, the vectors that a model makes of them, and how similar those are.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { button } from '../components/controls/controls';
import { embeddingBlocker, embeddingForm, isEmbedding } from '../lanes/embedding-form';
import { renderLater } from '../later';
import type { PanelState } from '../state/panel-state';
import type { Playground } from '../playground';
import { countOf } from '../text/format';
import type { View } from './view';

export const EMBEDDINGS_VIEW: View = {
  id: 'embeddings',
  get label() {
    return t('Embeddings');
  },
  renderActions,
  watchedActions: (state) => [embeddingBlocker(state), isEmbedding(state.session.embedding)],
  render: (playground) =>
    html`<pg-document-banner .playground=${playground}></pg-document-banner> ${renderLater(
        () => html`<pg-embedding-panel class="embed" .playground=${playground}></pg-embedding-panel>`,
      )}`,
  watched: ({ hasLaterParts }) => [hasLaterParts],
  run: (playground) => void playground.embed(),
  stop: (playground) => void playground.send('embedding/stop', {}),
  isBusy: ({ session }) => isEmbedding(session.embedding),
  announce,
  open: (playground) => {
    const { connection } = embeddingForm(playground.state);
    if (!playground.state.models.has(connection)) void playground.readModels(connection);
  },
};

function renderActions(playground: Playground): TemplateResult {
  const { state } = playground;
  const blocker = embeddingBlocker(state);
  return html`<span class="run"
      >${button({
        label: t('Embed'),
        icon: 'play',
        appearance: 'primary',
        isDisabled: blocker !== undefined,
        title: blocker?.replaceAll('`', ''),
        onClick: () => void playground.embed(),
      })}</span
    >
    <span class="stop"
      >${button({
        label: t('Stop'),
        icon: 'stop',
        isDisabled: !isEmbedding(state.session.embedding),
        onClick: () => void playground.send('embedding/stop', {}),
      })}</span
    >`;
}

function announce({ session }: PanelState): string[] {
  const { embedding } = session;
  if (isEmbedding(embedding)) return [t('Embedding.')];
  if (embedding?.outcome?.error) return [embedding.outcome.error.title];
  return embedding?.outcome?.result
    ? [countOf(embedding.labels.length, t('{0} text embedded.'), t('{0} texts embedded.'))]
    : [];
}
