// The view *Embeddings*: a few texts, the vectors that a model makes of them, and how alike those are.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { button, iconButton, textArea } from '../components/controls';
import { renderEmbeddingResult } from '../components/embedding-result';
import { prose } from '../components/prose';
import type { EmbeddingState } from '../embedding-state';
import { embeddingBlocker, MAX_TEXTS, withEmbedding, withoutText, withText } from '../embedding-state';
import { countOf } from '../format';
import type { Playground } from '../playground';
import type { PlaygroundState } from '../state';
import type { View } from './view';

export const EMBEDDINGS_VIEW: View = {
  id: 'embeddings',
  label: 'Embeddings',
  renderActions,
  render,
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

function render(playground: Playground): TemplateResult {
  return html`<div class="embed">
    <section class="embed-form" aria-label="Texts to embed">${renderForm(playground)}</section>
    <section class="embed-result" aria-label="Vectors and similarity" tabindex="-1">
      ${renderEmbeddingResult(playground)}
    </section>
  </div>`;
}

function renderForm(playground: Playground): TemplateResult {
  const { state } = playground;
  const { texts, pendingRunId } = state.embedding;
  const blocker = pendingRunId ? undefined : embeddingBlocker(state);
  const add = (): void => {
    playground.update((before) => withEmbedding(before, { texts: [...before.embedding.texts, ''] }));
    focusText(texts.length);
  };
  return html`${renderConnection(playground)} ${renderModel(playground)}
    <h2>Texts</h2>
    <ol class="texts">
      ${texts.map((text, index) => renderText(playground, text, index))}
    </ol>
    <div class="actions">
      ${button({ label: 'Add text', icon: 'add', isDisabled: texts.length >= MAX_TEXTS, onClick: add })}
      ${texts.length >= MAX_TEXTS ? html`<span class="muted">At most ${countOf(MAX_TEXTS, 'text')}.</span>` : nothing}
    </div>
    <p class="muted">
      ${blocker ? prose(blocker) : html`<kbd>Ctrl</kbd> <kbd>Enter</kbd> embeds; an empty text is left out.`}
    </p>`;
}

function renderConnection(playground: Playground): TemplateResult {
  const { embedding, snapshot } = playground.state;
  const choices = (snapshot?.connections ?? []).map(({ id, label }) => ({ id, label }));
  const { connectionId } = embedding;
  if (connectionId && !choices.some(({ id }) => id === connectionId)) {
    choices.unshift({ id: connectionId, label: `${connectionId} (gone)` });
  }
  return html`<div class="field">
    <pg-select-box
      .label=${'Connection'}
      .value=${connectionId}
      .choices=${choices}
      @pg-change=${({ detail }: CustomEvent<string>) => void playground.embeddings.chooseConnection(detail)}
    ></pg-select-box>
  </div>`;
}

function renderModel(playground: Playground): TemplateResult {
  const { embedding, models } = playground.state;
  const list = models[embedding.connectionId];
  const choose = ({ detail }: CustomEvent<string>): void =>
    playground.update((state) => withEmbedding(state, { model: detail }));
  return html`<div class="field">
    <pg-combo-box
      .label=${'Model'}
      .value=${embedding.model}
      .options=${list?.models ?? []}
      .placeholder=${'the name of a model that embeds'}
      @pg-change=${choose}
    ></pg-combo-box>
    ${list ? describeList(list.status) : nothing}
  </div>`;
}

function describeList(status: 'loading' | 'ready' | 'failed'): unknown {
  if (status === 'ready') return nothing;
  const words = {
    loading: 'Reading the list of models…',
    failed: 'The list could not be read, so type a name.',
  };
  return html`<p class="hint">${words[status]}</p>`;
}

function renderText(playground: Playground, text: string, index: number): TemplateResult {
  const { length } = playground.state.embedding.texts;
  const remove = (): void => {
    playground.update((state) => withoutText(state, index));
    focusText(Math.min(index, length - 2));
  };
  return html`<li>
    ${textArea({
      label: `Text ${index + 1}`,
      value: text,
      className: 'no-label',
      rows: Math.min(Math.max(text.split('\n').length, 1), 6),
      onInput: (value) => playground.update((state) => withText(state, index, value)),
    })}
    ${iconButton(`Remove text ${index + 1}`, 'close', remove, length === 1)}
  </li>`;
}

/** It is drawn before the next task. */
function focusText(index: number): void {
  setTimeout(() => {
    const areas = document.querySelectorAll<HTMLElement>('.texts vscode-text-area');
    areas[index]?.focus();
  });
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
