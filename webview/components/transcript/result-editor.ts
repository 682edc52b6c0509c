// The inline editor of a tool call's result. Closing it keeps what was typed.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { ToolView } from '../../../src/protocol';
import { isChanged, isErrorDraft } from '../../actions/written-results';
import {
  findButton,
  focusOnceDone,
  focusSoon,
  laneElement,
  messageBox,
  turnElement,
} from '../../focus/focus';
import type { ResultDraft } from '../../state/view-state';
import { withResultDraft } from '../../state/view-state';
import { toJson } from '../../text/format';
import { spellMarks } from '../../text/text-marks';
import { button, checkbox, rowsOf, textArea } from '../controls/controls';
import type { CallPlace } from './call-place';

type ResultPlace = Pick<CallPlace, 'playground' | 'laneId' | 'entry' | 'index' | 'call'>;

export function resultEditorId({ entry, index }: Pick<CallPlace, 'entry' | 'index'>): string {
  return `result-${entry.id}-${index}`;
}

/**
 * Opens the editor with the text typed before, otherwise with the existing result, otherwise with the answer of a
 * mock that matches every call.
 */
export async function openResult({ playground, laneId, entry, index, call }: ResultPlace): Promise<void> {
  const kept = playground.state.view.results.get(entry.id)?.[index];
  const before = kept?.isUntouched ? undefined : kept;
  const given = entry.results[index];
  let content = given?.content ?? toSample(playground.state.session.document?.tools, call.name);
  if (!before && given && given.content.length < given.length) {
    const path = `results.${index}.content`;
    const read = await playground.ask('text/read', { laneId, entryId: entry.id, path });
    if (!read) return;
    content = read.text;
  }
  const draft = before ?? { content, isUntouched: true };
  playground.changeView((view) =>
    withResultDraft(view, { runId: entry.id, index }, { ...draft, isOpen: true }),
  );
}

export function renderResultEditor(place: CallPlace, draft: ResultDraft): TemplateResult {
  const { playground, laneId, entry, index, call, isPaused, isPrimary } = place;
  const at = { runId: entry.id, index };
  const given = entry.results[index];
  const change = (part: Partial<ResultDraft>): void =>
    playground.changeView((view) =>
      withResultDraft(view, at, { ...draft, ...view.results.get(at.runId)?.[index], ...part }),
    );
  const close = (): void => {
    change({ isOpen: false });
    const card = document.getElementById(resultEditorId(place))?.closest<HTMLElement>('.call');
    const name = given ? t('Edit result') : t('Give result');
    focusSoon(() => findButton(card ?? turnElement(laneId, entry.id), name));
  };
  const send = async (): Promise<void> => {
    const goTo = focusOnceDone();
    const isGiven = await playground.results.send(laneId, entry.id, index);
    const stepBar = (): Element | undefined => laneElement(laneId)?.querySelector('.step-bar') ?? undefined;
    const nextCall = (): Element | null | undefined => {
      const turn = turnElement(laneId, entry.id);
      return turn?.querySelector('.result-editor vscode-text-area') ?? findButton(turn, t('Give result'));
    };
    if (isGiven)
      goTo(() => (isPaused ? findButton(stepBar(), t('Next step')) : (nextCall() ?? messageBox())));
  };
  const pressed = (event: KeyboardEvent): void => {
    const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if ((!isSend && event.key !== 'Escape') || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (isSend) void send();
    else close();
  };
  const hints = [
    ...(given && isChanged(draft, given) ? [t('Changed, not sent.')] : []),
    ...(place.isLast ? [] : [t('The turns after this reply are replaced.')]),
  ];
  return html`<div class="result-editor" id=${resultEditorId(place)} @keydown=${pressed}>
    ${textArea({
      label: t('Result of {0}', spellMarks(call.name)),
      value: draft.content,
      className: 'is-data',
      rows: rowsOf(draft.content, 3, 12),
      hint: hints.join(' '),
      onInput: (content) => change({ content, isUntouched: false }),
    })}
    ${checkbox(t('An error result, sent with “Error: ” at its beginning'), isErrorDraft(draft, given), {
      onChange: (isError) => change({ isError, isUntouched: false }),
    })}
    <div class="actions">
      ${button({
        // Between two steps the result is only kept; the next step sends it.
        label: isPaused ? t('Keep result') : t('Send result'),
        appearance: isPrimary ? 'primary' : 'secondary',
        onClick: () => void send(),
      })}
      ${button({ label: t('Close'), onClick: close })}
    </div>
  </div>`;
}

/** Result of the first unconditional mock. Only the host decides whether a conditional one matches. */
function toSample(tools: readonly ToolView[] = [], name: string): string {
  const mocks = tools.find((tool) => tool.name === name)?.mocks ?? [];
  const mock = mocks.find(({ result, when, call }) => result !== undefined && (when ?? call) === undefined);
  if (mock?.result === undefined) return '';
  return typeof mock.result === 'string' ? mock.result : toJson(mock.result);
}
