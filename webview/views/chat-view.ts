// The view *Chat*: conversations in lanes side by side, the message box, and the inspector.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { toggleInspector } from '../actions/inspect';
import { boxText } from '../actions/typed-fields';
import { button } from '../components/controls/controls';
import { addLane, MAX_LANES } from '../components/lane/lane-title';
import { nameBox } from '../components/tools/tool-focus';
import { focusBackOnceDone, focusOnceDone, focusSoon, laneElement } from '../focus/focus';
import { icon } from '../icons';
import { toBand } from '../lanes/band';
import { busyLaneIds, canEdit, isInspectorOpen, laneNumber, targetLaneIds } from '../lanes/lane-queries';
import { primaryAction } from '../lanes/primary-action';
import { runBlocker } from '../lanes/run-blocker';
import type { PanelState } from '../state/panel-state';
import type { Playground } from '../playground';
import { laneOf } from '../state/session-state';
import { countOf } from '../text/format';
import { spellMarks } from '../text/text-marks';
import type { View } from './view';

export const CHAT_VIEW: View = {
  id: 'chat',
  get label() {
    return t('Chat');
  },
  renderActions,
  renderEnd,
  watchedActions,
  render,
  watched: (state) => [state.session.laneIds, isInspectorOpen(state)],
  run: (playground) => void playground.run(),
  stop,
  isBusy: ({ session }) => busyLaneIds(session).length > 0,
  announce,
};

/** The lane and the beginning of the run that was stopped by the last press of Escape; another press stops the others. */
let stopped: string | undefined;

function stop(playground: Playground): void {
  const { session } = playground.state;
  const busy = busyLaneIds(session);
  const focused = busy.find((id) => laneElement(id)?.contains(document.activeElement));
  const run = focused && `${focused} ${laneOf(session, focused).run?.begunAt}`;
  const isOne = focused !== undefined && run !== stopped;
  stopped = run;
  // Sent also if no lane is known to be busy: the run may have been requested a moment ago.
  void playground.stop(isOne ? [focused] : undefined);
}

function watchedActions(state: PanelState): readonly unknown[] {
  const { session } = state;
  return [
    session.document?.tools,
    canEdit(session),
    isInspectorOpen(state),
    session.laneIds,
    busyLaneIds(session).length,
    runBlocker(state, targetLaneIds(state), boxText(state)),
    runBlocker(state, targetLaneIds(state), boxText(state), 'agent'),
    primaryAction(state, boxText(state)).kind,
  ];
}

function renderActions(playground: Playground): TemplateResult {
  const { state } = playground;
  const { session } = state;
  const blocker = runBlocker(state, targetLaneIds(state), boxText(state));
  const agentBlocker = runBlocker(state, targetLaneIds(state), boxText(state), 'agent');
  const busy = busyLaneIds(session).length;
  return html`<span class="run"
      >${button({
        label: t('Run'),
        icon: 'play',
        appearance: primaryAction(state, boxText(state)).kind === 'run' ? 'primary' : 'secondary',
        isDisabled: blocker !== undefined,
        title: blocker?.replaceAll('`', ''),
        onClick: () => void playground.run(),
      })}</span
    >
    <button
      class="ghost run-agent"
      type="button"
      aria-label=${t('Run agent')}
      title=${agentBlocker === undefined ? t('Run agent') : spellMarks(agentBlocker.replaceAll('`', ''))}
      ?disabled=${agentBlocker !== undefined}
      @click=${() => void playground.run(undefined, { kind: 'agent' })}
    >
      ${icon('runAll')}<span class="words">${t('Run agent')}</span>
    </button>
    <span class="stop"
      >${button({
        label: t('Stop'),
        icon: 'stop',
        isDisabled: busy === 0,
        onClick: () => void playground.stop(),
      })}</span
    >
    ${busy > 0 && session.laneIds.length > 1 ? html`<span class="busy muted num">${countOf(busy, t('{0} lane runs'), t('{0} lanes run'))}</span>` : nothing}
    <span class="sep"></span>
    <button
      class="ghost"
      type="button"
      ?disabled=${!canEdit(session) || session.laneIds.length >= MAX_LANES}
      title=${session.laneIds.length >= MAX_LANES ? t('At most {0} lanes', MAX_LANES) : nothing}
      @click=${() => void addLane(playground)}
    >
      ${icon('add')}${t('Add lane')}
    </button>
    ${renderTools(playground)}`;
}

function renderTools(playground: Playground): TemplateResult {
  const { session } = playground.state;
  const offer = ({ detail }: CustomEvent<{ index: number; isOffered: boolean }>): void => {
    const path = ['tools', detail.index, 'offered'];
    // Offered is the default, which the document leaves out.
    void playground.edit([detail.isOffered ? { path } : { path, value: false }]);
  };
  return html`<pg-tools-menu
    .tools=${session.document?.tools ?? []}
    .isFixed=${!canEdit(session)}
    @pg-offer=${offer}
    @pg-edit=${({ detail }: CustomEvent<{ id: string }>) => showTool(playground, detail.id)}
    @pg-remove=${({ detail }: CustomEvent<{ index: number }>) => void playground.edit([{ path: ['tools', detail.index] }])}
    @pg-create=${() => void createTool(playground)}
    @pg-import=${() => void importTools(playground)}
  ></pg-tools-menu>`;
}

/** Creates a tool and opens it in the view *Tools*, with its placeholder name selected. */
async function createTool(playground: Playground): Promise<void> {
  const goTo = focusOnceDone();
  const made = await playground.ask('tool/create', {});
  if (!made) return;
  playground.setView({ view: 'tools', toolId: made.id });
  // A new tool may be drawn later; until then, another one is shown.
  goTo(() => {
    const { tools = [] } = playground.state.session.document ?? {};
    return tools.some(({ id }) => id === made.id) ? nameBox(tools.length) : undefined;
  });
}

async function importTools(playground: Playground): Promise<void> {
  const goBack = focusBackOnceDone();
  await playground.send('tool/import', {});
  goBack();
}

/** Shows a tool in the view *Tools* and moves the focus to it, because the list of the chat is gone. */
function showTool(playground: Playground, toolId: string): void {
  playground.setView({ view: 'tools', toolId });
  focusSoon(() => document.querySelector('.tool-editor'));
}

function renderEnd(playground: Playground): TemplateResult {
  const isOpen = isInspectorOpen(playground.state);
  return html`<button
    class="tool inspector-toggle"
    type="button"
    aria-label=${t('Inspector')}
    aria-expanded=${isOpen ? 'true' : 'false'}
    title=${isOpen ? t('Fold the inspector (Alt+I)') : t('Show the inspector (Alt+I)')}
    @click=${() => toggleInspector(playground)}
  >
    ${icon(isOpen ? 'inspector' : 'inspectorFolded')}
  </button>`;
}

function render(playground: Playground): TemplateResult {
  const { state } = playground;
  const { laneIds } = state.session;
  return html`<pg-system-prompt .playground=${playground}></pg-system-prompt>
    <pg-document-banner .playground=${playground}></pg-document-banner>
    <div class="work">
      <pg-lane-bar .playground=${playground}></pg-lane-bar>
      <div class="stage">
        <div class="lanes">
          ${repeat(
            laneIds,
            (id) => id,
            (id) => html`<pg-lane .playground=${playground} .laneId=${id}></pg-lane>`,
          )}
        </div>
      </div>
      <pg-composer .playground=${playground}></pg-composer>
      ${isInspectorOpen(state) ? html`<pg-inspector .playground=${playground}></pg-inspector>` : nothing}
    </div>`;
}

/** One sentence for each lane; a single lane is not named. */
function announce({ session }: PanelState): string[] {
  return session.laneIds.flatMap((id) => {
    const band = toBand(laneOf(session, id), 0);
    if (!band) return [];
    const said = `${band.word}${band.rest}`.replaceAll('`', '');
    return [session.laneIds.length > 1 ? t('Lane {0}: {1}', laneNumber(session, id), said) : said];
  });
}
