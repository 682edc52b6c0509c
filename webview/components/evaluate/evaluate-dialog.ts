// The small dialog in which a start is confirmed, or the path of a rows file is given.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { confirmStart, setPlace } from '../../actions/evaluate';
import type { Playground } from '../../playground';
import type { EvaluateQuestion } from '../../state/evaluate-place';
import { button, linkButton, textField } from '../controls/controls';
import { prose } from '../controls/prose';

export function renderQuestion(playground: Playground): unknown {
  const { question } = playground.state.evaluate;
  if (!question) return nothing;
  const cancel = (): void => setPlace(playground, { question: undefined });
  // Escape closes only the dialog: the page stops the evaluation on it.
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      event.preventDefault();
      cancel();
    } else if (event.key === 'Enter' && question.kind === 'rows-file') accept(playground, question);
  };
  const title = question.kind === 'start' ? t('Start this evaluation?') : t('Which rows file?');
  return html`<dialog
    class="ask-dialog"
    aria-label=${title}
    @keydown=${pressed}
    @cancel=${cancel}
    ${ref(openDialog)}
  >
    <h2>${title}</h2>
    ${question.kind === 'start' ? html`<p class="num">${prose(question.words)}</p>` : renderPath(playground, question)}
    <div class="actions">
      ${button({
        label: question.kind === 'start' ? t('Start') : t('Use this file'),
        appearance: 'primary',
        onClick: () => accept(playground, question),
      })}
      ${button({ label: t('Cancel'), onClick: cancel })}
    </div>
  </dialog>`;
}

function renderPath(
  playground: Playground,
  question: EvaluateQuestion & { kind: 'rows-file' },
): TemplateResult {
  const setPath = (path: string): void => setPlace(playground, { question: { ...question, path } });
  const choose = async (): Promise<void> => {
    const { path } = (await playground.ask('evaluation/choose-rows', {})) ?? {};
    if (path !== undefined) setPath(path);
  };
  return html`${textField({
    label: t('Path, relative to the playground file'),
    value: question.path,
    hint: t('A .csv with a header, a .jsonl with an object a line, or a .json with a list of objects.'),
    onInput: setPath,
  })}${linkButton(t('Choose rows file…'), () => void choose())}`;
}

function accept(playground: Playground, question: EvaluateQuestion): void {
  if (question.kind === 'start') return void confirmStart(playground, question.start);
  const path = question.path.trim();
  setPlace(playground, { question: undefined });
  if (path !== '') void playground.edit([{ path: ['evaluate', 'rows'], value: path }]);
}

/** Modal, so that the focus stays in it and returns to where it was. */
function openDialog(element: Element | undefined): void {
  const dialog = element as HTMLDialogElement | undefined;
  if (dialog && !dialog.open) queueMicrotask(() => dialog.isConnected && dialog.showModal());
}
