// The bar at the top: run, stop, tools, and where requests leave from.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { icon } from '../icons';
import type { Playground } from '../playground';
import { runBlocker } from '../run-request';
import { offeredTools, withTool } from '../state';
import { button } from './controls';

export function renderViewBar(playground: Playground): TemplateResult {
  const { state } = playground;
  const blocker = runBlocker(state);
  const offer = ({ detail }: CustomEvent<{ name: string; isOffered: boolean }>): void =>
    playground.update((before) => withTool(before, detail.name, detail.isOffered));
  return html`<header class="bar">
    <span class="run"
      >${button({
        label: 'Run',
        icon: 'play',
        appearance: 'primary',
        isDisabled: blocker !== undefined,
        title: blocker?.replaceAll('`', ''),
        onClick: () => void playground.run(),
      })}</span
    >
    ${button({
      label: 'Stop',
      icon: 'stop',
      isDisabled: state.pendingRunId === undefined,
      onClick: () => playground.stop(),
    })}
    <span class="sep"></span>
    <pg-tools-menu
      .tools=${state.snapshot?.tools ?? []}
      .offered=${offeredTools(state)}
      @pg-change=${offer}
    ></pg-tools-menu>
    ${
      state.snapshot
        ? html`<span class="where push muted"
            >${icon('place')}${renderPlace(state.snapshot.requestsLeaveFrom)}</span
          >`
        : nothing
    }
  </header>`;
}

export function renderPlace(place: string): TemplateResult {
  return html`<span>Requests leave from: ${place}</span>`;
}
