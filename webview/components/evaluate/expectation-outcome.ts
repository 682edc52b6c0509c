// What an expectation says of how the reply came out: tools that must not be called, outcome, finish reason; of agent runs, how
// they ended and after how many steps.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Expectation } from '../../../src/types';
import type { TypedJson } from '../../tools/json-field';
import { renderCut } from '../controls/prose';
import type { ExpectationForm } from './expectation-form';
import { OUTCOMES } from './outcome-bar';

type Stop = Extract<NonNullable<Expectation['stop']>, string>;
type Verdict = Extract<NonNullable<Expectation['verdict']>, string>;

const STOPS: Readonly<Record<Stop, () => string>> = {
  answer: () => t('an answer'),
  'max-steps': () => t('the limit of steps'),
  budget: () => t('the budget'),
  error: () => t('an error'),
};

interface Option<Id extends string> {
  id: Id;
  label: string;
}

export function renderOutcome(form: ExpectationForm): TemplateResult {
  const { expectation, state, set } = form;
  const { never = [], verdict, steps, stop } = expectation;
  const isAgent = state.session.document?.document.evaluate.mode === 'agent';
  const names = [...new Set([...never, ...(state.session.document?.tools ?? []).map(({ name }) => name)])];
  const verdicts = OUTCOMES.flatMap(({ id, word }) => (id === 'noVerdict' ? [] : [{ id, label: word() }]));
  const stops = (Object.keys(STOPS) as Stop[]).map((id) => ({ id, label: STOPS[id]() }));
  return html`<section class="sec">
      <h3>
        ${t('Outcome')}
        <small>${toList(verdict).length === 0 ? t('any') : t('one of those that are pressed')}</small>
      </h3>
      ${toggles<Verdict>(form, t('Outcome'), verdicts, toList(verdict), (next) => set('verdict', oneOrMore(next)))}
      ${renderFinish(form)}
    </section>
    ${
      names.length === 0
        ? nothing
        : html`<section class="sec">
            <h3>
              ${t('Never called')}
              <small>${never.length === 0 ? t('no tool is forbidden') : t('whatever else is allowed')}</small>
            </h3>
            ${toggles(
              form,
              t('Never called'),
              names.map((id) => ({ id, label: id })),
              never,
              (next) => set('never', next.length > 0 ? next : undefined),
            )}
          </section>`
    }
    ${
      isAgent || steps || stop !== undefined
        ? html`<section class="sec">
            <h3>${t('Agent run')}</h3>
            ${toggles<Stop>(form, t('Ended by'), stops, toList(stop), (next) => set('stop', oneOrMore(next)))}
            <div class="pair">
              ${renderSteps(form, 'min', t('Steps, at least'))}
              ${renderSteps(form, 'max', t('Steps, at most'))}
            </div>
          </section>`
        : nothing
    }`;
}

/** Several can be pressed; none means any. */
function toggles<Id extends string>(
  { isFixed }: ExpectationForm,
  label: string,
  options: readonly Option<Id>[],
  chosen: readonly Id[],
  onChoose: (chosen: readonly Id[]) => void,
): TemplateResult {
  const toggled = (id: Id): readonly Id[] =>
    chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id];
  return html`<div class="chips" role="group" aria-label=${label}>
    ${options.map(
      ({ id, label: word }) =>
        html`<button
          class="chip"
          type="button"
          aria-pressed=${chosen.includes(id) ? 'true' : 'false'}
          ?disabled=${isFixed}
          @click=${() => onChoose(toggled(id))}
        >
          ${renderCut(word, 80)}
        </button>`,
    )}
  </div>`;
}

/** Typed, because a server may have words of its own. */
const renderFinish = (form: ExpectationForm): TemplateResult =>
  form.field({
    key: 'finish',
    label: t('Finish reason'),
    text: toList(form.expectation.finish).join(', '),
    placeholder: t('any, or as {0}', ['stop', 'tool-calls'].join(', ')),
    className: 'is-data',
    parse: (text) => ({ value: text.split(',').flatMap((word) => word.trim() || []) }),
    save: (value) => form.set('finish', oneOrMore(value as string[])),
  });

function renderSteps(
  { expectation, set, field }: ExpectationForm,
  key: 'min' | 'max',
  label: string,
): unknown {
  const { steps = {} } = expectation;
  const other = key === 'min' ? steps.max : steps.min;
  const parse = (text: string): TypedJson => {
    if (text.trim() === '') return { value: undefined };
    const count = Number(text);
    if (!Number.isSafeInteger(count) || count < 1)
      return { problem: t('This needs a whole number, 1 or more.') };
    const [least, most] = key === 'min' ? [count, other] : [other, count];
    return least !== undefined && most !== undefined && least > most
      ? { problem: t('The least number is greater than the most.') }
      : { value: count };
  };
  return field({
    key: `steps.${key}`,
    label,
    text: steps[key] === undefined ? '' : String(steps[key]),
    placeholder: t('any'),
    className: 'is-data',
    parse,
    save: (value) => {
      const next = { ...steps, [key]: value };
      set('steps', next.min === undefined && next.max === undefined ? undefined : next);
    },
  });
}

const toList = <Id extends string>(value: Id | readonly Id[] | undefined): readonly Id[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

/** As a person writes it: one word alone. */
function oneOrMore<Id extends string>(values: readonly Id[]): Id | readonly Id[] | undefined {
  const [only, ...more] = values;
  return more.length > 0 ? values : only;
}
