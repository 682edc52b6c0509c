// One tool call in a lane: its name, its origin, its arguments, what is wrong with them, and its result.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { EVALUATED_TIMES, evaluateTimes, expectReply } from '../../actions/evaluate';
import { inspect } from '../../actions/inspect';
import type { RunEntry, ToolResultView } from '../../../src/protocol';
import type { ProviderToolCall, RescuedCall } from '../../../src/types';
import { isChanged } from '../../actions/written-results';
import { focusSoon } from '../../focus/focus';
import type { IconName } from '../../icons';
import { icon } from '../../icons';
import { canEdit } from '../../lanes/lane-queries';
import { spellMarks } from '../../text/text-marks';
import { button, iconButton } from '../controls/controls';
import { jsonValue } from '../controls/json-text';
import { announceCopy, copyOutcomeJson } from '../controls/outcome-text';
import { cut, prose, renderCut } from '../controls/prose';
import { renderIssue } from '../inspector/schema-issues';
import type { CallPlace } from './call-place';
import { openResult, renderResultEditor, resultEditorId } from './result-editor';

const MAX_ARGUMENTS = 40;
const MAX_ISSUES = 5;

export function renderCallCard(place: CallPlace): TemplateResult {
  const { call, isSelected, fold } = place;
  return html`<article
    class="call ${isSelected ? 'is-selected' : ''}"
    aria-current=${isSelected ? 'true' : nothing}
  >
    <div class="head-row">
      ${fold ? renderFold(fold, call.name) : nothing}
      <button class="head" type="button" data-row @click=${() => select(place)}>
        ${icon('tool')}<span class="name clip">${renderCut(call.name, 200) || t('(no name)')}</span
        >${renderVerdict(place)}
      </button>
      ${renderMore(place)}
    </div>
    ${
      fold && !fold.isOpen
        ? nothing
        : html`${renderArguments(call.arguments)} ${renderProblems(place)} ${renderFoot(place)}`
    }
  </article>`;
}

/** What can be made of the call. */
function renderMore({ playground, laneId, entry, index, call }: CallPlace): TemplateResult {
  const { session } = playground.state;
  const expectIt = (): void =>
    void expectReply(playground, { laneId, runId: entry.id, what: 'call', callIndex: index });
  const copy = async (): Promise<void> => {
    const part = { path: `reply.toolCalls.${index}`, value: call };
    const isCopied = await copyOutcomeJson(playground, { laneId, run: entry }, part);
    if (isCopied !== undefined) announceCopy(playground, t('The call'), isCopied);
  };
  const tool = session.document?.tools.find(({ name }) => name === call.name);
  const addMock = async (): Promise<void> => {
    const of = { laneId, runId: entry.id, callIndex: index };
    if (tool && (await playground.send('tool/mock-call', of)))
      playground.setView({ view: 'tools', toolId: tool.id });
  };
  const changes = [
    { label: t('Expect this call'), icon: 'rescued' as const, onSelect: expectIt },
    {
      label: t('Evaluate ×{0}', EVALUATED_TIMES),
      icon: 'evaluate' as const,
      onSelect: () => void evaluateTimes(playground, EVALUATED_TIMES),
    },
    {
      label: t('Add a mock'),
      icon: 'tool' as const,
      isDisabled: tool === undefined,
      onSelect: () => void addMock(),
    },
  ];
  const copied = { label: t('Copy as JSON'), icon: 'copy' as const, onSelect: () => void copy() };
  return html`<pg-menu-button
    .label=${t('More actions for {0}', spellMarks(cut(call.name, 100)))}
    .groups=${() => [...(canEdit(session) ? [{ items: changes }] : []), { items: [copied] }]}
  ></pg-menu-button>`;
}

function renderFold(fold: NonNullable<CallPlace['fold']>, name: string): TemplateResult {
  return html`<button
    class="tool"
    type="button"
    aria-label=${t('Arguments of {0}', spellMarks(cut(name, 100)))}
    aria-expanded=${fold.isOpen ? 'true' : 'false'}
    @click=${fold.toggle}
  >
    ${icon(fold.isOpen ? 'down' : 'right')}
  </button>`;
}

function select({ playground, laneId, entry, index, call }: CallPlace): void {
  // The tab *Rescue* stays open, as it shows the call's place in the text.
  const isInText = call.source === 'rescued' && playground.state.view.tab === 'rescue';
  inspect(playground, {
    laneId,
    selection: { laneId, runId: entry.id, callIndex: index },
    tab: isInText ? 'rescue' : 'tool-calls',
  });
}

/** Origin of the call; but a call that no tool can answer gets a warning instead, whatever its origin. */
function renderVerdict({ entry, index, call, isUnknown }: CallPlace): TemplateResult {
  if (parseErrorOf(entry, index) !== undefined) return renderWord('warning', 's-warning', t('not JSON'));
  if (isUnknown) return renderWord('warning', 's-warning', t('unknown tool'));
  return renderSource(call);
}

export function renderSource({ source }: ProviderToolCall, format?: string): TemplateResult {
  return renderWord(source, `o-${source} o-icon`, describeSource(source, format));
}

function describeSource(source: ProviderToolCall['source'], format: string | undefined): string {
  if (source === 'native') return t('native');
  return format ? t('rescued, {0}', format) : t('rescued');
}

const renderWord = (name: IconName, className: string, word: string): TemplateResult =>
  html`<span class="src"><span class=${className}>${icon(name)}</span>${word}</span>`;

/** What rescue recorded about a rescued call. */
export function rescuedCall(entry: RunEntry, call: ProviderToolCall): RescuedCall | undefined {
  if (call.source !== 'rescued') return undefined;
  return entry.outcome?.reply?.rescue?.calls.find(({ id }) => id === call.id);
}

/** Why the arguments of a call could not be parsed and stayed text. */
export const parseErrorOf = ({ outcome }: RunEntry, index: number): string | undefined =>
  outcome?.reply?.parseErrors[index];

export const schemaIssuesOf = (
  { outcome }: RunEntry,
  index: number,
): readonly { path: string; message: string }[] => outcome?.reply?.schemaIssues[index] ?? [];

const SOURCES: Readonly<Record<ToolResultView['source'], () => string>> = {
  given: () => t('given by hand'),
  mock: () => t('by a mock'),
  invoked: () => t('of the editor’s tool'),
  refused: () => t('refused'),
};

/** Such as `by a mock, edited` or `refused, an error`. */
export function describeResult(
  { isError, source, isEdited }: ToolResultView,
  notes: readonly string[] = [],
): string {
  const edited = isEdited ? [t('edited')] : [];
  return [SOURCES[source](), ...edited, ...(isError ? [t('an error')] : []), ...notes].join(', ');
}

/** Neither protocol has a field for an error result, so the result is sent with this word in front. */
export const renderErrorWord = (isError: boolean | undefined): unknown =>
  isError ? html`<span class="muted">${t('Error:')} </span>` : nothing;

function renderArguments(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const shown = typeof value === 'string' ? renderCut(value) : jsonValue(value);
    return html`<p class="args is-text">${shown}</p>`;
  }
  const all = Object.entries(value);
  if (all.length === 0) return html`<p class="args is-text muted">${t('no arguments')}</p>`;
  return html`<dl class="args">
    ${all.slice(0, MAX_ARGUMENTS).map(
      ([key, argument]) =>
        html`<dt>${renderCut(key, 200)}</dt>
          <dd>${jsonValue(argument)}</dd>`,
    )}
    ${
      all.length > MAX_ARGUMENTS
        ? html`<dt>…</dt>
            <dd>${t('{0} more', all.length - MAX_ARGUMENTS)}</dd>`
        : nothing
    }
  </dl>`;
}

function renderProblems({ entry, index }: CallPlace): unknown {
  const parseError = parseErrorOf(entry, index);
  const issues = schemaIssuesOf(entry, index);
  const problems = [
    ...(parseError === undefined ? [] : [prose(t('The arguments cannot be read: {0}', parseError))]),
    ...issues.slice(0, MAX_ISSUES).map(renderIssue),
    ...(issues.length > MAX_ISSUES ? [html`${t('{0} more', issues.length - MAX_ISSUES)}`] : []),
  ];
  return problems.map(
    (problem) =>
      html`<p class="note"><span class="s-warning">${icon('warning')}</span><span>${problem}</span></p>`,
  );
}

function renderFoot(place: CallPlace): TemplateResult {
  const { entry, index, draft, isLast, isPrimary } = place;
  const result = entry.results[index];
  if (draft?.isOpen) return renderResultEditor(place, draft);
  const open = (): void => {
    void openResult(place);
    focusSoon(() => document.getElementById(resultEditorId(place))?.querySelector('vscode-text-area'));
  };
  if (result) {
    const notes = [
      ...(isLast ? [t('not sent yet')] : []),
      // What was typed stays in the closed editor.
      ...(draft && isChanged(draft, result) ? [t('changed since, not sent')] : []),
    ];
    return html`<div class="foot">
      <span class="muted">${describeResult(result, notes)}</span>
      <code class="clip" title=${spellMarks(cut(result.content, 500))}
        >${renderErrorWord(result.isError)}${renderCut(result.content, 300) || t('(empty)')}</code
      >
      ${iconButton(t('Edit result'), 'edit', open)}
    </div>`;
  }
  const appearance = isPrimary ? ('primary' as const) : ('secondary' as const);
  return html`<div class="foot">
    <span class="clip muted">${t('No result yet')}</span
    >${button({ label: t('Give result'), appearance, onClick: open })}
  </div>`;
}
