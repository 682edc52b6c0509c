// The view *Embeddings*: the texts and the model on one side, the result on the other.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { focusSoon } from '../../focus/focus';
import type { EmbeddingForm } from '../../lanes/embedding-form';
import {
  embeddedTextKey,
  embeddingBlocker,
  embeddingEdit,
  EMBEDDING_MODEL_KEY as MODEL,
  embeddingForm,
  isEmbedding,
  MAX_TEXTS,
  withoutText,
} from '../../lanes/embedding-form';
import { fieldText } from '../../lanes/lane-fields';
import { canEdit, describeOmitted } from '../../lanes/lane-queries';
import type { ModelsState, PanelState } from '../../state/panel-state';
import { button, iconButton, rowsOf, textArea } from '../controls/controls';
import { prose } from '../controls/prose';
import { commandKey } from '../frame/composer';
import { StoreElement } from '../controls/store-element';
import { renderEmbeddingResult } from './embedding-result';
import { sentence } from '../../text/sentence';

export class EmbeddingPanel extends StoreElement {
  /** Id of the connection that was chosen last. */
  #chosen = '';

  override render(): TemplateResult {
    return html`<section class="embed-form" aria-label=${t('Texts to embed')}>${this.#renderForm()}</section>
      <section class="embed-result" aria-label=${t('Vectors and similarity')} tabindex="-1">
        ${renderEmbeddingResult(this.playground)}
      </section>`;
  }

  protected override watched(state: PanelState): readonly unknown[] {
    const { session, view, models, now } = state;
    return [
      session.document,
      session.environment,
      session.embedding,
      view.fields,
      models,
      isEmbedding(session.embedding) ? now : 0,
    ];
  }

  #edit(change: (form: EmbeddingForm) => Partial<EmbeddingForm>): void {
    void this.playground.edit([embeddingEdit(this.playground.state, change)]);
  }

  #renderForm(): TemplateResult {
    const { state } = this.playground;
    const { texts } = embeddingForm(state);
    const isFixed = !canEdit(state.session);
    const blocker = isEmbedding(state.session.embedding) ? undefined : embeddingBlocker(state);
    const add = (): void => {
      this.#edit((form) => ({ texts: [...form.texts, ''] }));
      focusText(texts.length);
    };
    return html`${this.#renderConnection()} ${this.#renderModel()}
      <h2>${t('Texts')}</h2>
      <ol class="texts">
        ${texts.map((_text, index) => this.#renderText(texts, index))}
      </ol>
      <div class="actions">
        ${button({ label: t('Add text'), icon: 'add', isDisabled: isFixed || texts.length >= MAX_TEXTS, onClick: add })}
        ${texts.length >= MAX_TEXTS ? html`<span class="muted">${t('At most {0} texts.', MAX_TEXTS)}</span>` : nothing}
      </div>
      <p class="muted">
        ${blocker ? prose(blocker) : sentence(t('{0} {1} embeds the texts; empty texts are left out.'), html`<kbd>${commandKey()}</kbd>`, html`<kbd>Enter</kbd>`)}
      </p>`;
  }

  #renderConnection(): TemplateResult {
    const { playground } = this;
    const { session } = playground.state;
    const { connection } = embeddingForm(playground.state);
    const choices = (session.environment?.connections ?? []).map(({ id, label }) => ({ id, label }));
    if (connection !== '' && !choices.some(({ id }) => id === connection)) {
      choices.unshift({ id: connection, label: t('{0} (not set up)', connection) });
    }
    const choose = ({ detail }: CustomEvent<string>): void => void this.#chooseConnection(detail);
    return html`<div class="field">
      <pg-select-box
        .label=${t('Connection')}
        .value=${connection}
        .choices=${choices}
        .isDisabled=${!canEdit(session)}
        @pg-change=${choose}
      ></pg-select-box>
    </div>`;
  }

  /** Also sets the model, because another server has another embedding model. */
  async #chooseConnection(connection: string): Promise<void> {
    const { playground } = this;
    this.#chosen = connection;
    const { status = 'loading' } = playground.state.models.get(connection) ?? {};
    if (status === 'loading') await playground.readModels(connection);
    // Another one may have been chosen while a slow server listed its models.
    if (this.#chosen !== connection) return;
    const model = playground.state.models.get(connection)?.embedModel ?? '';
    this.#edit(() => ({ connection, model }));
  }

  #renderModel(): TemplateResult {
    const { playground } = this;
    const { state } = playground;
    const list = state.models.get(embeddingForm(state).connection);
    return html`<div class="field">
      <pg-combo-box
        .label=${t('Model')}
        .value=${fieldText(state, MODEL)}
        .options=${list?.models ?? []}
        .placeholder=${t('the name of an embedding model')}
        .isDisabled=${!canEdit(state.session)}
        @pg-change=${({ detail }: CustomEvent<string>) => playground.fields.type(MODEL, detail)}
        @pg-choose=${({ detail }: CustomEvent<string>) => playground.fields.choose(MODEL, detail)}
        @focusout=${() => playground.fields.leave(MODEL)}
      ></pg-combo-box>
      ${list ? describeList(list) : nothing}
    </div>`;
  }

  #renderText(texts: readonly string[], index: number): TemplateResult {
    const { playground } = this;
    const key = embeddedTextKey(index);
    const value = fieldText(playground.state, key);
    const isFixed = !canEdit(playground.state.session);
    const remove = (): void => {
      this.#edit((form) => ({ texts: form.texts.toSpliced(index, 1) }));
      // A text that is too long is not in the document, and would stay in the place of the next one.
      playground.changeView((view) => ({
        ...view,
        fields: withoutText(view.fields, index),
        typedOver: withoutText(view.typedOver, index),
      }));
      focusText(Math.min(index, texts.length - 2));
    };
    return html`<li>
      ${textArea({
        label: t('Text {0}', index + 1),
        value,
        className: 'no-label',
        rows: rowsOf(value, 1, 6),
        isDisabled: isFixed,
        onInput: (text) => playground.fields.type(key, text),
        onLeave: () => playground.fields.leave(key),
      })}
      ${iconButton(t('Remove text {0}', index + 1), 'close', remove, isFixed || texts.length === 1)}
    </li>`;
  }
}

function describeList(list: ModelsState): unknown {
  const words = {
    ready: describeOmitted(list),
    loading: t('Reading the list of models…'),
    failed: t('The list of models could not be read. Type a name.'),
  };
  return words[list.status] === '' ? nothing : html`<p class="hint">${words[list.status]}</p>`;
}

const focusText = (index: number): void =>
  focusSoon(() => document.querySelectorAll<HTMLElement>('.texts vscode-text-area')[index]);
