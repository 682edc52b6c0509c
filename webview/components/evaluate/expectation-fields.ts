// The parts of an expectation as they are edited: where it holds, the calls with their arguments, the text, the limits.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { isRecord } from '../../../src/protocol';
import type { CallPattern, ReplyLimits } from '../../../src/types';
import type { MatcherForm } from '../../evaluate/matcher-form';
import { changeKind, fromMatcherForm, MATCHER_KINDS, toMatcherForm } from '../../evaluate/matcher-form';
import { showJson, parseJson } from '../../tools/json-field';
import { iconButton, linkButton } from '../controls/controls';
import { prose } from '../controls/prose';
import type { Choice } from '../controls/select-box';
import type { ExpectationForm } from './expectation-form';

const EVERY = '';
/** A choice that stands for a value which the list does not have. */
const OTHER = 'other';

export function renderScope(form: ExpectationForm): TemplateResult {
  const { expectation, state, set } = form;
  const lanes = state.session.evaluation?.lanes ?? [];
  const [lane, ...more] = expectation.lanes ?? [];
  const value = lane === undefined ? EVERY : more.length > 0 ? OTHER : lane;
  const choices = [
    { id: EVERY, label: t('every lane') },
    ...lanes.map(({ id, label }) => ({ id, label })),
    ...(more.length > 0 ? [{ id: OTHER, label: t('{0} lanes', more.length + 1) }] : []),
  ];
  const chooseLane = (id: string): void => {
    if (id !== OTHER) set('lanes', id === EVERY ? undefined : [id]);
  };
  return html`<div class="pair">
    ${form.choice(t('Holds for'), value, choices, chooseLane)}
    ${form.field({
      key: 'when',
      label: t('Rows'),
      text: expectation.when === undefined ? '' : showJson(expectation.when),
      placeholder: t('every row, or as {0}', '{"city": "Oslo"}'),
      className: 'is-data',
      parse: (text) => {
        if (text.trim() === '') return { value: undefined };
        const parsed = parseJson(text);
        if (parsed.problem !== undefined || isRecord(parsed.value)) return parsed;
        return { problem: t('This needs an object of variables and their values.') };
      },
      save: (when) => set('when', isRecord(when) ? when : undefined),
    })}
  </div>`;
}

export function renderCalls(form: ExpectationForm): TemplateResult {
  const { expectation, state, isFixed, set } = form;
  const { calls } = expectation;
  const tools = state.session.document?.tools ?? [];
  const tool = tools[0]?.name ?? 'tool';
  const add = (): void => set('calls', [...(calls ?? []), { tool }]);
  const note =
    calls === undefined
      ? t('any')
      : calls.length === 0
        ? t('the reply must make none')
        : t('the reply must make these');
  return html`<section class="sec">
    <h3>
      ${t('Calls')} <small>${note}</small
      ><span class="push">
        ${isFixed ? nothing : linkButton(t('Add call'), add)}
        ${!isFixed && calls === undefined ? linkButton(t('Expect no call'), () => set('calls', [])) : nothing}
        ${!isFixed && calls?.length === 0 ? linkButton(t('Allow any'), () => set('calls', undefined)) : nothing}
      </span>
    </h3>
    ${calls?.map((call, index) => renderPattern(form, call, index))}
    ${calls === undefined ? nothing : renderOthers(form)}
  </section>`;
}

const TIMES: readonly (Choice & { times: CallPattern['times'] })[] = [
  { id: '1', label: '×1', times: undefined },
  { id: '2', label: '×2', times: 2 },
  { id: '3', label: '×3', times: 3 },
  { id: 'some', label: '≥ 1', times: { min: 1 } },
  { id: 'maybe', label: '≤ 1', times: { max: 1 } },
];

/** Replaces one of the calls, or removes it. */
function setCall({ expectation, set }: ExpectationForm, index: number, call: CallPattern | undefined): void {
  const calls = expectation.calls ?? [];
  const next = call ? calls.with(index, call) : calls.toSpliced(index, 1);
  set('calls', call || next.length > 0 ? next : undefined);
}

function renderPattern(form: ExpectationForm, call: CallPattern, index: number): TemplateResult {
  const { state, isFixed } = form;
  const number = index + 1;
  const names = [...new Set([call.tool, ...(state.session.document?.tools ?? []).map(({ name }) => name)])];
  const known = TIMES.find(
    ({ times }) => JSON.stringify(times) === JSON.stringify(call.times === 1 ? undefined : call.times),
  );
  const times = [
    ...TIMES,
    ...(known ? [] : [{ id: OTHER, label: JSON.stringify(call.times), times: call.times }]),
  ];
  return html`<div class="pattern" role="group" aria-label=${t('Call {0}, {1}', number, call.tool)}>
    <div class="tool-line">
      ${form.choice(
        t('Tool of call {0}', number),
        call.tool,
        names.map((name) => ({ id: name, label: name })),
        (tool) => setCall(form, index, { ...call, tool }),
      )}
      ${form.choice(t('Times of call {0}', number), known?.id ?? OTHER, times, (id) => {
        const { times: _times, ...rest } = call;
        const chosen = times.find((each) => each.id === id)?.times;
        setCall(form, index, { ...rest, ...(chosen !== undefined && { times: chosen }) });
      })}
      ${form.choice(t('Source of call {0}', number), call.source ?? EVERY, sources(), (id) => {
        const { source: _source, ...rest } = call;
        setCall(form, index, id === 'native' || id === 'rescued' ? { ...rest, source: id } : rest);
      })}
      ${iconButton(t('Remove call {0}', number), 'close', () => setCall(form, index, undefined), isFixed)}
    </div>
    ${renderArguments(form, call, index)}
  </div>`;
}

const sources = (): Choice[] => [
  { id: EVERY, label: t('native or rescued') },
  { id: 'native', label: t('native') },
  { id: 'rescued', label: t('rescued') },
];

function renderArguments(form: ExpectationForm, call: CallPattern, index: number): TemplateResult {
  const { arguments: expected = {}, ...rest } = call;
  const isNamed = isRecord(expected) && !Object.keys(expected).some((key) => key.startsWith('$'));
  if (!isNamed)
    return html`<p class="muted">${prose(t('One matcher of all arguments: edit it as JSON.'))}</p>`;
  const pairs = Object.entries(expected);
  const save = (next: readonly (readonly [string, unknown])[]): void =>
    setCall(form, index, { ...rest, ...(next.length > 0 && { arguments: Object.fromEntries(next) }) });
  const tool = form.state.session.document?.tools.find(({ name }) => name === call.tool);
  const declared = isRecord(tool?.parameters['properties']) ? Object.keys(tool.parameters['properties']) : [];
  const free = declared.find((name) => !Object.hasOwn(expected, name)) ?? t('argument {0}', pairs.length + 1);
  return html`${pairs.map(([name, matcher], at) => {
    const key = ['calls', index, at].join('.');
    return html`<div class="argument-line">
      ${form.field({
        key: `${key}.name`,
        label: t('Argument {0} of call {1}', at + 1, index + 1),
        text: name,
        className: 'is-data',
        parse: (text) =>
          parseName(
            text,
            pairs.map(([each]) => each),
            name,
          ),
        save: (value) => save(pairs.with(at, [String(value), matcher])),
      })}
      ${renderMatcher(form, { key, name, matcher, save: (next) => save(pairs.with(at, [name, next])) })}
      ${iconButton(t('Remove {0}', name), 'close', () => save(pairs.toSpliced(at, 1)), form.isFixed)}
    </div>`;
  })}
  ${form.isFixed ? nothing : linkButton(t('Add argument'), () => save([...pairs, [free, { $any: true }]]), t('Add argument to call {0}', index + 1))}`;
}

function parseName(
  text: string,
  names: readonly string[],
  own: string,
): { value: string } | { problem: string } {
  if (text === '') return { problem: t('An argument needs a name.') };
  if (text.startsWith('$')) return { problem: t('Names that begin with $ are matchers.') };
  return names.includes(text) && text !== own
    ? { problem: t('There is an argument of this name.') }
    : { value: text };
}

/** What is compared, and the value that it is compared with. */
function renderMatcher(
  form: ExpectationForm,
  {
    key,
    name,
    matcher,
    save,
  }: { key: string; name: string; matcher: unknown; save: (matcher: unknown) => void },
): TemplateResult {
  const shown = toMatcherForm(matcher);
  const choices = [
    ...MATCHER_KINDS.map(({ id, word }) => ({ id, label: word() })),
    ...(shown.id === '' ? [{ id: '', label: t('as JSON') }] : []),
  ];
  const choose = (id: string): void => {
    const next = usable(changeKind(shown, id));
    if (next.problem === undefined) save(next.value);
  };
  const hasValue = MATCHER_KINDS.find(({ id }) => id === shown.id)?.typed !== 'none';
  return html`${form.choice(t('Matcher of {0}', name), shown.id, choices, choose)}
  ${
    hasValue
      ? form.field({
          key: `${key}.value`,
          label: t('Value of {0}', name),
          text: shown.text,
          className: 'is-data',
          parse: (text) => fromMatcherForm({ ...shown, text }),
          save,
        })
      : html`<span></span>`
  }`;
}

/** A value that the chosen matcher cannot have gives way to one that it can have, which the person then replaces. */
function usable(form: MatcherForm): ReturnType<typeof fromMatcherForm> {
  const wanted = fromMatcherForm(form);
  if (wanted.problem === undefined) return wanted;
  for (const text of ['""', '0', '0, 0', '"text"', '{}']) {
    const parsed = fromMatcherForm({ ...form, text });
    if (parsed.problem === undefined) return parsed;
  }
  return wanted;
}

function renderOthers({ expectation, set, choice }: ExpectationForm): TemplateResult {
  const { extra, order = 'any' } = expectation;
  const isList = Array.isArray(extra);
  const extras = [
    { id: 'none', label: t('none') },
    { id: 'allowed', label: t('allowed') },
    ...(isList ? [{ id: OTHER, label: extra.join(', ') }] : []),
  ];
  return html`<div class="pair">
    ${choice(t('Other calls'), isList ? OTHER : String(extra ?? 'none'), extras, (id) => {
      if (id !== OTHER) set('extra', id === 'allowed' ? id : undefined);
    })}
    ${choice(
      t('Order'),
      order,
      [
        { id: 'any', label: t('any') },
        { id: 'listed', label: t('as listed') },
      ],
      (id) => set('order', id === 'listed' ? id : undefined),
    )}
  </div>`;
}

export function renderText(form: ExpectationForm): TemplateResult {
  const { expectation, isFixed, set } = form;
  const { text } = expectation;
  const isSet = text !== undefined;
  return html`<section class="sec">
    <h3>
      ${t('Text of the reply')}
      <small>${isSet ? nothing : t('any')}</small
      >${isSet || isFixed ? nothing : html`<span class="push">${linkButton(t('Expect a text'), () => set('text', { $contains: '' }))}</span>`}
    </h3>
    ${
      isSet
        ? html`<div class="text-line">
            ${renderMatcher(form, { key: 'text', name: t('the text'), matcher: text, save: (next) => set('text', next) })}
            ${iconButton(t('Remove text'), 'close', () => set('text', undefined), isFixed)}
          </div>`
        : nothing
    }
  </section>`;
}

const LIMITS: Readonly<Record<keyof ReplyLimits, () => string>> = {
  completionTokens: () => t('completion tokens'),
  promptTokens: () => t('prompt tokens'),
  totalTokens: () => t('tokens'),
  timeMs: () => t('time in ms'),
  firstTokenMs: () => t('time to the first token in ms'),
  costUsd: () => t('cost in USD'),
  attempts: () => t('attempts'),
};

export function renderLimits(form: ExpectationForm): TemplateResult {
  const { expectation, state, isFixed, set } = form;
  const max = expectation.max ?? {};
  const all = Object.keys(LIMITS) as (keyof ReplyLimits)[];
  const shown = all.filter((key) => max[key] !== undefined);
  const free = all.find((key) => max[key] === undefined);
  const save = (next: ReplyLimits): void => set('max', Object.keys(next).length > 0 ? next : undefined);
  const without = (key: keyof ReplyLimits): ReplyLimits =>
    Object.fromEntries(Object.entries(max).filter(([each]) => each !== key));
  const unrated = state.session.evaluation?.lanes.filter(({ billing }) => billing !== 'rates') ?? [];
  return html`<section class="sec">
    <h3>
      ${t('At most')} <small>${shown.length === 0 ? t('no limit') : nothing}</small>
      ${free && !isFixed ? html`<span class="push">${linkButton(t('Add limit'), () => save({ ...max, [free]: 1000 }))}</span>` : nothing}
    </h3>
    ${shown.map(
      (key) =>
        html`<div class="limit-line">
            ${form.choice(
              t('Limit'),
              key,
              all
                .filter((each) => each === key || max[each] === undefined)
                .map((id) => ({ id, label: LIMITS[id]() })),
              (id) => save({ ...without(key), [id]: max[key] }),
            )}
            ${form.field({
              key: `max.${key}`,
              label: t('At most, {0}', LIMITS[key]()),
              text: String(max[key]),
              className: 'is-data',
              parse: (text) =>
                text.trim() !== '' && Number(text) >= 0
                  ? { value: Number(text) }
                  : { problem: t('This needs a number, 0 or more.') },
              save: (value) => save({ ...max, [key]: Number(value) }),
            })}
            ${iconButton(t('Remove {0}', LIMITS[key]()), 'close', () => save(without(key)), isFixed)}
          </div>
          ${
            key === 'costUsd' && unrated.length > 0
              ? html`<p class="muted">
                  ${t('No verdict in lanes without rates: {0}.', unrated.map(({ label }) => label).join(', '))}
                </p>`
              : nothing
          }`,
    )}
  </section>`;
}
