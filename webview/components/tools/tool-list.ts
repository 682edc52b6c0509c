// The tools of the playground as a list: whether each is offered, its name, its origin, its problems. The arrow
// keys move in it.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { ToolView } from '../../../src/protocol';
import { icon } from '../../icons';
import { canEdit } from '../../lanes/lane-queries';
import type { Playground } from '../../playground';
import { countOf, toOneLine } from '../../text/format';
import { spellMarks } from '../../text/text-marks';
import { isUnresolved, offerEdits } from '../../tools/tool-edits';
import { toolProblem } from '../../tools/tool-problem';
import { toolActionsOf } from '../../tools/tool-actions';
import { checkbox } from '../controls/controls';
import { cut } from '../controls/prose';
import { renderMarked } from '../controls/marked-text';
import { describeCheck } from './server-checks';
import { shortName } from './tool-form';

const MAX_DESCRIPTION = 200;

export function renderToolList(playground: Playground, selectedId: string): TemplateResult {
  const { tools = [] } = playground.state.session.document ?? {};
  return html`<ul class="tool-list" @keydown=${moveBetween}>
    ${tools.map((tool) => renderTool(playground, tool, tool.id === selectedId))}
  </ul>`;
}

function renderTool(playground: Playground, tool: ToolView, isSelected: boolean): TemplateResult {
  const { id, name, description, reference } = tool;
  const { session } = playground.state;
  const isFixed =
    !canEdit(session) || !session.document || isUnresolved({ tool, document: session.document.document });
  // The toolkit reads its label only when it is created, so another tool name needs a new element.
  const offer = checkbox(t('Offer {0}', shortName(name)), tool.isOffered, {
    isDisabled: isFixed,
    onChange: (isOffered) =>
      void toolActionsOf(playground).act(id, (scene) => offerEdits(scene.tool.index, isOffered)),
  });
  return html`<li class=${isSelected ? 'is-selected' : ''}>
    ${keyed(name, offer)}
    <button
      class="tool-row"
      type="button"
      aria-current=${isSelected ? 'true' : nothing}
      @click=${() => playground.setView({ toolId: id })}
    >
      <span class="head">
        <span class="mono clip">${renderMarked(cut(name, MAX_DESCRIPTION))}</span>
        ${reference === undefined ? nothing : html`<span class="source clip">${renderMarked(cut(reference, MAX_DESCRIPTION))}</span>`}
        ${renderProblem(playground, tool)}
      </span>
      <span class="muted clip"
        >${renderMarked(toOneLine(cut(description, MAX_DESCRIPTION)) || t('no description'))}</span
      >
    </button>
  </li>`;
}

/** Shows the first problem; the editor shows all of them. */
function renderProblem(playground: Playground, tool: ToolView): unknown {
  const { state } = playground;
  const typed = toolProblem(state.view.fields, [tool]);
  const checks = state.toolChecks.filter(({ toolId }) => toolId === tool.id);
  const refused = checks.map((check) => describeCheck(check, state.session));
  const problems = [...(typed === undefined ? [] : [typed]), ...tool.problems, ...refused];
  const [first] = problems;
  if (first === undefined) return nothing;
  const said = first.replaceAll('`', '');
  const more = problems.length - 1;
  const rest = countOf(more, t('{0} more problem'), t('{0} more problems'));
  const words = spellMarks(more > 0 ? t('{0} and {1}', said, rest) : said);
  return html`<span class="s-warning" title=${words}
    >${icon('warning')}<span class="sr">${words}</span></span
  >`;
}

/** Moves up and down within the column that has the focus. */
function moveBetween(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement;
  const control = event.target as HTMLElement;
  const rows = [...list.querySelectorAll('li')];
  const at = rows.findIndex((row) => row.contains(control));
  const targets: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: rows.length - 1,
  };
  const row = rows[targets[event.key] ?? -1];
  if (!row) return;
  event.preventDefault();
  row.querySelector<HTMLElement>(control.localName === 'button' ? '.tool-row' : 'vscode-checkbox')?.focus();
}
