// Edits one expectation. Every change edits the document, where it can be undone, and sends nothing; a text that cannot be
// read stays in its field with what is wrong.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Expectation } from '../../../src/types';
import { setPlace } from '../../actions/evaluate';
import { nameOfExpectation } from '../../evaluate/expectation-words';
import { countRate, requiredOf } from '../../evaluate/rate-words';
import { icon } from '../../icons';
import { canEdit } from '../../lanes/lane-queries';
import type { PanelState } from '../../state/panel-state';
import { button, linkButton, textField } from '../controls/controls';
import { renderCut } from '../controls/prose';
import { StoreElement } from '../controls/store-element';
import type { ExpectationForm, FieldOptions } from './expectation-form';
import { renderOutcome } from './expectation-outcome';
import { renderCalls, renderLimits, renderScope, renderText } from './expectation-fields';

/** A field that is being typed in: its text, and what is wrong with it once it was left. */
interface Draft {
  text: string;
  problem?: string | undefined;
}

export class ExpectationEditor extends StoreElement {
  static override properties = { ...StoreElement.properties, drafts: { attribute: false as const } };
  declare drafts: ReadonlyMap<string, Draft>;
  /** What each lane passed when the expectation was opened. */
  #before: { index: number; rates: ReadonlyMap<string, string> } | undefined;
  readonly #leavers = new Map<string, () => void>();

  constructor() {
    super();
    this.drafts = new Map();
  }

  /** Whatever is typed is kept when the editor closes. */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const leave of this.#leavers.values()) leave();
    this.drafts = new Map();
  }

  override render(): unknown {
    const { playground } = this;
    const index = playground.state.evaluate.expectation ?? -1;
    const expectation = playground.state.session.document?.document.expect[index];
    if (!expectation)
      return html`<div class="panel"><p class="pane muted">${t('This expectation was removed.')}</p></div>`;
    const form = this.#toForm(expectation, index);
    return html`<div class="panel">
      <p class="crumb">
        <button type="button" class="clip" @click=${() => this.#close()}>${t('Expectations')}</button
        >${icon('right')}<b class="clip">${renderCut(nameOfExpectation(expectation, index))}</b
        ><span class="push"
          >${linkButton(t('Edit as JSON'), () => void playground.send('document/open-text', { path: ['expect', index] }))}</span
        >
      </p>
      <div class="pane expect-form" role="group" aria-label=${t('Expectation')}>
        ${this.#renderName(form)} ${renderScope(form)} ${renderCalls(form)} ${renderText(form)}
        ${renderOutcome(form)} ${renderLimits(form)} ${this.#renderJudged(index)}
      </div>
      <div class="done-bar">
        ${button({ label: t('Done'), onClick: () => this.#close() })}
        <button
          class="ghost"
          type="button"
          ?disabled=${form.isFixed}
          @click=${() => void this.#remove(index)}
        >
          ${t('Remove expectation')}
        </button>
        ${this.#renderGate()}
      </div>
    </div>`;
  }

  protected override watched({ session, evaluate }: PanelState): readonly unknown[] {
    return [evaluate.expectation, session.document, session.evaluation];
  }

  #close(): void {
    for (const leave of this.#leavers.values()) leave();
    setPlace(this.playground, { expectation: undefined });
  }

  async #remove(index: number): Promise<void> {
    this.#leavers.clear();
    setPlace(this.playground, { expectation: undefined });
    await this.playground.edit([{ path: ['expect', index] }]);
  }

  #toForm(expectation: Expectation, index: number): ExpectationForm {
    const { playground } = this;
    const isFixed = !canEdit(playground.state.session);
    this.#leavers.clear();
    return {
      expectation,
      state: playground.state,
      isFixed,
      set: (key, value) =>
        void playground.edit([{ path: ['expect', index, key], ...(value !== undefined && { value }) }]),
      field: (options) => this.#renderField(options, index, isFixed),
      choice: (label, value, choices, onChoose) =>
        html`<pg-select-box
          class="field"
          .label=${label}
          .value=${value}
          .choices=${choices}
          .isDisabled=${isFixed}
          @pg-change=${({ detail }: CustomEvent<string>) => onChoose(detail)}
        ></pg-select-box>`,
    };
  }

  #renderField(
    { key, label, text, parse, save, className = '', placeholder }: FieldOptions,
    index: number,
    isDisabled: boolean,
  ): TemplateResult {
    const place = `${index} ${key}`;
    const draft = this.drafts.get(place);
    const setDraft = (next: Draft | undefined): void => {
      const drafts = new Map(this.drafts);
      if (next) drafts.set(place, next);
      else drafts.delete(place);
      this.drafts = drafts;
    };
    const leave = (): void => {
      const typed = this.drafts.get(place);
      if (!typed || typed.text === text) return setDraft(undefined);
      const parsed = parse(typed.text);
      if (parsed.problem !== undefined) return setDraft({ text: typed.text, problem: parsed.problem });
      setDraft(undefined);
      save(parsed.value);
    };
    this.#leavers.set(place, leave);
    return textField({
      label,
      value: draft?.text ?? text,
      className,
      placeholder,
      problem: draft?.problem,
      isDisabled,
      onInput: (typed) => setDraft({ text: typed, problem: draft?.problem && parse(typed).problem }),
      onLeave: leave,
    });
  }

  #renderName(form: ExpectationForm): TemplateResult {
    return form.field({
      key: 'name',
      label: t('Name'),
      text: form.expectation.name ?? '',
      parse: (value) =>
        value.length > 200 ? { problem: t('A name has at most 200 characters.') } : { value },
      save: (value) => form.set('name', typeof value === 'string' && value.trim() !== '' ? value : undefined),
    });
  }

  /** The stored samples are judged again with each change: what passed when the editor was opened, and what passes now. */
  #renderJudged(index: number): unknown {
    const { result, lanes = [] } = this.playground.state.session.evaluation ?? {};
    const summaries = result?.summary.lanes ?? [];
    if (summaries.length === 0) return nothing;
    const rates = new Map(summaries.map((summary) => [summary.laneId, countRate(summary)]));
    if (this.#before?.index !== index) this.#before = { index, rates };
    const before = this.#before.rates;
    return html`<section class="sec" role="status">
      <h3>${t('Stored samples, judged again')} <small>${t('{0} requests', 0)}</small></h3>
      <table class="num" aria-label=${t('Stored samples, before and with this expectation')}>
        <thead>
          <tr>
            <th scope="col">${t('Lane')}</th>
            <th scope="col" class="r">${t('Before')}</th>
            <th scope="col" class="r">${t('Now')}</th>
          </tr>
        </thead>
        <tbody>
          ${summaries.map(({ laneId }) => {
            const label = lanes.find(({ id }) => id === laneId)?.label ?? laneId;
            return html`<tr>
              <td>${renderCut(label, 80)}</td>
              <td class="r muted">${before.get(laneId) ?? ''}</td>
              <td class="r">${rates.get(laneId) ?? ''}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </section>`;
  }

  #renderGate(): unknown {
    const { plan, gates, result } = this.playground.state.session.evaluation ?? {};
    if (!plan || !gates) return nothing;
    return html`<span class="muted push">
      ${result?.gateChance ?? ''}
      ${t('{0} of {1} required', requiredOf(plan.repeats, gates.case), plan.repeats)}
      ${linkButton(t('Change'), () => void this.playground.send('document/open-text', { path: ['evaluate', 'pass'] }), t('Change what is required'))}
    </span>`;
  }
}
