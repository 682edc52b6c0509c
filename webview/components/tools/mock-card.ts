// One mock: when it answers, and what. Says when no call can reach it.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { ToolMock } from '../../../src/protocol';
import { DOCUMENT_LIMIT } from '../../../src/protocol';
import { focusOnceDone } from '../../focus/focus';
import { icon } from '../../icons';
import type { MockAnswer, MockCondition } from '../../tools/mock-form';
import {
  answerOf,
  conditionOf,
  coveringMock,
  describeResult,
  freeCall,
  withAnswer,
  withCondition,
} from '../../tools/mock-form';
import { mockEdits } from '../../tools/tool-edits';
import type { MockChange } from '../../tools/tool-edits';
import type { ToolPlace } from '../../tools/tool-fields';
import { iconButton, rowsOf } from '../controls/controls';
import { actionOf } from './tool-focus';
import type { ToolForm } from './tool-form';

const conditions = (): { id: MockCondition; label: string }[] => [
  { id: 'always', label: t('Always') },
  { id: 'when', label: t('When arguments match') },
  { id: 'call', label: t('Call number') },
  { id: 'both', label: t('Arguments and call number') },
];
const answers = (): { id: MockAnswer; label: string }[] => [
  { id: 'result', label: t('Result') },
  { id: 'error', label: t('Error') },
  { id: 'ask', label: t('Ask me') },
  { id: 'invoke', label: t('Really invoke it') },
];

export function renderMock(form: ToolForm, mock: ToolMock, at: number): TemplateResult {
  const covering = coveringMock(form.scene.tool.mocks, at);
  return html`<div class="mock" role="group" aria-label=${t('Mock {0} of {1}', at + 1, form.name)}>
    <header>
      <b>${t('Mock {0}', at + 1)}</b>
      ${renderMoves(form, mock, at)}
    </header>
    ${
      covering === undefined
        ? nothing
        : html`<p class="has-icon wide">
            <span class="s-warning">${icon('warning')}</span>
            <span>${t('Never used: mock {0} answers every call that this mock would.', covering + 1)}</span>
          </p>`
    }
    ${renderCondition(form, mock, at)} ${renderAnswer(form, mock, at)}
  </div>`;
}

const change = (form: ToolForm, toChange: (mocks: readonly ToolMock[]) => MockChange): Promise<boolean> =>
  form.act((scene) => mockEdits(scene, toChange(scene.draft.mocks)));

function replace(form: ToolForm, at: number, toMock: (mock: ToolMock) => ToolMock): Promise<boolean> {
  return form.act((scene) => {
    const mock = scene.draft.mocks[at];
    return mock ? mockEdits(scene, { kind: 'replace', at, mock: toMock(mock) }) : [];
  });
}

function renderMoves(form: ToolForm, mock: ToolMock, at: number): TemplateResult {
  const { length } = form.scene.tool.mocks;
  const move = async (to: number, action: string): Promise<void> => {
    const goTo = focusOnceDone();
    const isDone = await change(form, () => ({ kind: 'move', at, to }));
    if (isDone) goTo(() => actionOf('mocks', { at: to, action, count: length }));
  };
  const remove = async (): Promise<void> => {
    const goTo = focusOnceDone();
    const isDone = await change(form, () => ({ kind: 'remove', at }));
    if (isDone) goTo(() => actionOf('mocks', { at, action: 'remove', count: length - 1 }));
  };
  const duplicate = async (): Promise<void> => {
    const goTo = focusOnceDone();
    const isDone = await change(form, (mocks) => ({ kind: 'add', at: at + 1, mock: mocks[at] ?? mock }));
    if (isDone) goTo(() => actionOf('mocks', { at: at + 1, action: 'duplicate', count: length + 1 }));
  };
  const { isFixed, name } = form;
  const number = at + 1;
  return html`<span class="moves">
    <span class="move-up"
      >${iconButton(t('Move mock {0} of {1} up', number, name), 'leftwards', () => void move(at - 1, 'move-up'), isFixed || at === 0)}</span
    ><span class="move-down"
      >${iconButton(t('Move mock {0} of {1} down', number, name), 'rightwards', () => void move(at + 1, 'move-down'), isFixed || at === length - 1)}</span
    ><span class="duplicate"
      >${iconButton(t('Duplicate mock {0} of {1}', number, name), 'copy', () => void duplicate(), isFixed || length >= DOCUMENT_LIMIT.mocks)}</span
    ><span class="remove"
      >${iconButton(t('Remove mock {0} of {1}', number, name), 'remove', () => void remove(), isFixed)}</span
    >
  </span>`;
}

function renderCondition(form: ToolForm, mock: ToolMock, at: number): TemplateResult {
  const place = { list: 'mocks', at } as const;
  const choose = ({ detail }: CustomEvent<string>): void =>
    void form.act((scene) => {
      const { mocks } = scene.draft;
      const before = mocks[at];
      if (!before) return [];
      const after = withCondition(before, detail as MockCondition, freeCall(mocks));
      return mockEdits(scene, { kind: 'replace', at, mock: after });
    });
  return html`<div class="side-by-side">
    <pg-select-box
      class="field"
      .label=${t('Answers')}
      .value=${conditionOf(mock)}
      .choices=${conditions()}
      .isDisabled=${form.isFixed}
      @pg-change=${choose}
    ></pg-select-box>
    ${mock.call === undefined ? nothing : form.line({ ...place, part: 'call' }, { label: t('Call number') })}
    ${mock.when === undefined ? nothing : renderWhen(form, { ...place, part: 'when' }, mock)}
  </div>`;
}

function renderWhen(form: ToolForm, place: ToolPlace, { when = {} }: ToolMock): TemplateResult {
  return form.area(place, {
    label: t('Arguments'),
    placeholder: '{"city": "Oslo"}',
    className: 'is-data wide',
    rows: rowsOf(form.textOf(place) ?? '', 1, 12),
    hint:
      Object.keys(when).length === 0
        ? t('JSON. An empty object matches every call.')
        : t('JSON. Matches a call that has at least these arguments.'),
  });
}

function renderAnswer(form: ToolForm, mock: ToolMock, at: number): TemplateResult {
  const place = { list: 'mocks', at } as const;
  const choose = ({ detail }: CustomEvent<string>): void =>
    void replace(form, at, (before) => withAnswer(before, detail as MockAnswer));
  return html`<div class="side-by-side">
    <pg-select-box
      class="field"
      .label=${t('With')}
      .value=${answerOf(mock)}
      .choices=${answers()}
      .isDisabled=${form.isFixed}
      @pg-change=${choose}
    ></pg-select-box>
    ${form.line({ ...place, part: 'delayMs' }, { label: t('Delay in ms'), placeholder: t('none') })}
    ${keyed(answerOf(mock), renderAnswerText(form, mock, at))}
  </div>`;
}

function renderAnswerText(form: ToolForm, mock: ToolMock, at: number): TemplateResult {
  const place = { list: 'mocks', at } as const;
  switch (answerOf(mock)) {
    case 'ask':
      return html`<p class="hint wide">${t('The run waits until you give the result.')}</p>`;
    case 'invoke':
      return html`<p class="hint wide">
        ${t('Runs the tool of the editor that has this name, after you have confirmed it. Other tools cannot be run.')}
      </p>`;
    case 'error':
      return form.area(
        { ...place, part: 'error' },
        {
          label: t('Error'),
          placeholder: t('What the model gets.'),
          className: 'wide',
          rows: rowsOf(form.textOf({ ...place, part: 'error' }) ?? '', 2, 12),
        },
      );
    case 'result': {
      const text = form.textOf({ ...place, part: 'result' }) ?? '';
      return form.area(
        { ...place, part: 'result' },
        {
          label: t('Result'),
          placeholder: t('JSON or text'),
          className: 'is-data wide',
          rows: rowsOf(text, 2, 16),
          hint: describeResult(text),
        },
      );
    }
  }
}
