// One lane: a connection and a model, what came back, and the conversation with it.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { countOf } from '../format';
import { icon } from '../icons';
import { renderLater } from '../later';
import type { Playground } from '../playground';
import { currentConnection, offeredTools } from '../state';
import { button } from './controls';
import { renderStrip, toggleSettings } from './lane-strip';
import { prose } from './prose';
import { renderTranscript } from './transcript';

export function renderLane(playground: Playground): TemplateResult {
  const { state } = playground;
  return html`<section class="lane is-current" aria-label="Lane 1">
    ${renderStrip(playground)}
    ${state.isSettingsOpen ? renderLater((parts) => parts.renderLaneSettings(playground)) : ''}
    ${state.entries.length > 0 ? renderTranscript(playground) : renderEmpty(playground)}
  </section>`;
}

function renderEmpty(playground: Playground): TemplateResult {
  const { state } = playground;
  const connection = currentConnection(state);
  if (state.snapshotError) {
    return html`<div class="empty" role="alert">
      <p>${prose(state.snapshotError.what)} ${prose(state.snapshotError.next)}</p>
      ${button({ label: 'Show log', onClick: () => void playground.showLog() })}
    </div>`;
  }
  if (!state.snapshot) return html`<div class="empty"><p class="muted">Reading the connections…</p></div>`;
  if (state.snapshot.connections.length === 0) {
    return html`<div class="empty">
      <p>A connection says where a model answers. None is set up yet.</p>
      ${button({ label: 'Open settings', onClick: () => void playground.openSettings() })}
    </div>`;
  }
  const { length } = offeredTools(state);
  const tools = length === 0 ? 'no tools' : countOf(length, 'tool');
  return html`<div class="empty">
    ${icon('tool')}
    <p>
      Run sends the message below to ${connection?.label ?? 'the chosen connection'} with ${tools}, and shows
      here what really came back.
      ${connection?.scope === 'built-in' ? 'The demo needs no model and no network.' : ''}
    </p>
    ${
      state.isSettingsOpen
        ? ''
        : button({ label: 'Choose another model', onClick: () => toggleSettings(playground) })
    }
  </div>`;
}
