// The view *Chat*: a conversation in a lane, the message box, and the inspector.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { describeAgent, describeEnding } from '../agent-state';
import { renderComposer } from '../components/composer';
import { button, iconButton } from '../components/controls';
import { renderInspector } from '../components/inspector';
import { renderLane } from '../components/lane';
import { toBand } from '../components/outcome-band';
import { renderSystemPrompt } from '../components/system-prompt';
import type { Playground } from '../playground';
import { runBlocker, toEndBlocker } from '../run-request';
import type { PlaygroundState } from '../state';
import { offeredTools, runEntries, withTool } from '../state';
import type { View } from './view';

export const CHAT_VIEW: View = {
  id: 'chat',
  label: 'Chat',
  renderActions,
  render,
  run: (playground) => void playground.run(),
  stop: (playground) => playground.stop(),
  isBusy: ({ pendingRunId }) => pendingRunId !== undefined,
  announce,
};

function renderActions(playground: Playground): TemplateResult {
  const { state } = playground;
  const blocker = runBlocker(state);
  const offer = ({ detail }: CustomEvent<{ name: string; isOffered: boolean }>): void =>
    playground.update((before) => withTool(before, detail.name, detail.isOffered));
  return html`<span class="run"
      >${button({
        label: 'Run',
        icon: 'play',
        appearance: 'primary',
        isDisabled: blocker !== undefined,
        title: blocker?.replaceAll('`', ''),
        onClick: () => void playground.run(),
      })}</span
    >
    ${iconButton(
      'Run on until the answer, tool calls answered by mocks',
      'runAll',
      () => void playground.toEnd.start(),
      toEndBlocker(state) !== undefined,
    )}
    <span class="stop"
      >${button({
        label: 'Stop',
        icon: 'stop',
        isDisabled: state.pendingRunId === undefined,
        onClick: () => playground.stop(),
      })}</span
    >
    <span class="sep"></span>
    <pg-tools-menu
      .tools=${state.snapshot?.tools ?? []}
      .offered=${offeredTools(state)}
      @pg-change=${offer}
    ></pg-tools-menu>`;
}

function render(playground: Playground, isWide: boolean): TemplateResult {
  return html`${renderSystemPrompt(playground)}
    <div class="work">
      <div class="stage"><div class="lanes">${renderLane(playground)}</div></div>
      ${renderComposer(playground)} ${renderInspector(playground, !isWide)}
    </div>`;
}

function announce(state: PlaygroundState): string {
  const band = toBand(state);
  const ending = state.pendingRunId ? undefined : runEntries(state).at(-1)?.ending;
  const { word, rest } = ending ? describeEnding(ending) : { word: describeAgent(state) ?? '', rest: '' };
  const agent = word === '' ? '' : `${word}${rest}.`;
  return [agent, band ? `${band.word}${band.rest}`.replaceAll('`', '') : ''].filter(Boolean).join(' ');
}
