// What the view *Embeddings* shows: the texts and the model on one side, what came of them on the other.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { embeddingBlocker, MAX_TEXTS, withEmbedding, withoutText, withText } from '../embedding-state';
import { countOf } from '../format';
import type { Playground } from '../playground';
import { button, iconButton, textArea } from './controls';
import { renderEmbeddingResult } from './embedding-result';
import { prose } from './prose';

export function renderEmbeddings(playground: Playground): TemplateResult {
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
