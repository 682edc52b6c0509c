// The tab *Wire* of a recorded request: what passed on both sides of the playground, and what a repair changed, field by field.
// What each side said opens in an editor.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type {
  RecordedRow,
  RecordedView,
  RecordingSide,
  RepairView,
  SideView,
  WireFileName,
} from '../../src/protocol';
import { linkButton } from '../components/controls/controls';
import { cut, renderCut } from '../components/controls/prose';
import { icon } from '../icons';
import { countOf, formatBytes, formatDuration } from '../text/format';
import type { Recording } from './recording';
import { programOf } from './row-words';

const MAX_NAME = 100;
const MAX_VALUE = 400;

export function renderTwoSides(recording: Recording, row: RecordedRow, view: RecordedView): TemplateResult {
  const { sides, repair } = view;
  return html`<section class="sec">
      <h3>
        ${t('Both sides')}
        <small>${sayChange(view)}</small>
      </h3>
      ${renderHops(recording, row, view)} ${renderTable(recording, view)}
    </section>
    ${repair ? renderRepair(repair) : nothing}
    <section class="sec">
      <h3>${t('Addresses')}</h3>
      <dl class="kv">
        <dt>${t('client')}</dt>
        <dd class="mono">${renderCut(sides.client.url)}</dd>
        <dt>${t('server')}</dt>
        <dd class="mono">${renderCut(sides.server.url)}</dd>
      </dl>
    </section>`;
}

function sayChange({ repair, changedHeaders }: RecordedView): string {
  if (repair) return t('the answer was changed');
  return changedHeaders.length > 0 ? t('only the key was added') : t('nothing was changed');
}

function renderHops(recording: Recording, row: RecordedRow, { sides, repair }: RecordedView): TemplateResult {
  const { connection } = recording.state.snapshot ?? {};
  const { client, server } = sides;
  return html`<ol class="hops num">
    <li>
      <b class="clip">${renderCut(programOf(row), MAX_NAME)}</b><span class="muted">${t('client')}</span>
    </li>
    ${renderHop(client, repair !== undefined)}
    <li><b>${t('playground')}</b><span class="muted">${repair ? t('repairs calls') : t('records')}</span></li>
    ${renderHop(server, false)}
    <li>
      <b class="clip">${renderCut(connection?.label ?? '', MAX_NAME)}</b
      ><span class="muted">${t('server')}</span>
    </li>
  </ol>`;
}

function renderHop({ requestBytes, responseBytes }: SideView, isChanged: boolean): TemplateResult {
  const back = responseBytes === undefined ? t('nothing') : formatBytes(responseBytes);
  return html`<li class="hop">
    <span class="there"
      ><span class="sr">${t('to the server:')}</span>${formatBytes(requestBytes)}${icon('rightwards')}</span
    >
    <span class="back ${isChanged ? 'is-changed' : ''}"
      >${icon('leftwards')}<span class="sr">${t('back:')}</span>${back}</span
    >
  </li>`;
}

/** The files of a side that show its request and its response, the most readable first. */
const REQUEST_FILES: readonly WireFileName[] = ['request.json', 'request.http'];
const RESPONSE_FILES: readonly WireFileName[] = ['response.events', 'response.json', 'response.raw'];

const FILE_LABELS: Readonly<Record<WireFileName, () => string>> = {
  'request.json': () => t('Body'),
  'request.http': () => 'HTTP',
  'response.json': () => t('Body'),
  'response.events': () => t('Events'),
  'response.raw': () => t('Raw'),
  'headers.txt': () => t('Headers'),
};

const SIDE_NAMES: Readonly<Record<RecordingSide, () => string>> = {
  client: () => t('client side'),
  server: () => t('server side'),
};

function renderTable(recording: Recording, view: RecordedView): TemplateResult {
  const { number, sides, changedHeaders, repair } = view;
  const { client, server } = sides;
  const equal = html`<span class="muted">${t('equal')}</span>`;
  const compare = (): void => void recording.send('recording/compare-sides', { number });
  const link = html`<button
    class="link"
    type="button"
    aria-label=${t('Compare the two responses')}
    @click=${compare}
  >
    ${icon('compare')}${t('Compare')}
  </button>`;
  const rows: [string, (side: RecordingSide) => unknown, unknown][] = [
    [
      t('Request'),
      (side) => [
        renderLinks(recording, view, side, REQUEST_FILES),
        html`<small class="muted">${formatBytes(sides[side].requestBytes)}</small>`,
      ],
      equal,
    ],
    [
      t('Response'),
      (side) => [renderLinks(recording, view, side, RESPONSE_FILES), renderSize(sides[side])],
      repair ? link : equal,
    ],
    [
      t('Headers'),
      (side) => renderLinks(recording, view, side, ['headers.txt']),
      changedHeaders.length === 0 ? equal : renderAdded(changedHeaders),
    ],
    [
      t('Status'),
      (side) => sides[side].status ?? '–',
      client.status === server.status ? equal : t('differs'),
    ],
  ];
  return html`<table class="sides num" aria-label=${t('What each side sent and received')}>
    <thead>
      <tr>
        <th><span class="sr">${t('Part')}</span></th>
        <th>${t('Client side')}</th>
        <th>${t('Server side')}</th>
        <th><span class="sr">${t('Difference')}</span></th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name, render, difference]) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>${render('client')}</td>
            <td>${render('server')}</td>
            <td>${difference}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

const renderAdded = (headers: readonly string[]): TemplateResult =>
  html`<span title=${cut(headers.join(', '), MAX_NAME)}>${t('key added')}</span>`;

/** Each opens in an editor. */
function renderLinks(
  recording: Recording,
  { number, sides }: RecordedView,
  side: RecordingSide,
  files: readonly WireFileName[],
): unknown {
  return files
    .filter((file) => sides[side].files.includes(file))
    .map((file) => {
      const label = FILE_LABELS[file]();
      const open = (): void => void recording.send('recording/open-file', { number, side, file });
      return html`${linkButton(label, open, t('{0}, {1}', label, SIDE_NAMES[side]()))} `;
    });
}

function renderSize({ responseBytes, events }: SideView): TemplateResult {
  if (responseBytes === undefined) return html`<span class="muted">${t('none')}</span>`;
  const text =
    events === undefined ? formatBytes(responseBytes) : countOf(events, t('{0} event'), t('{0} events'));
  return html`<small class="muted">${text}</small>`;
}

const renderValue = (text: string | undefined): unknown =>
  text === undefined ? html`<span class="muted">${t('absent')}</span>` : renderCut(text, MAX_VALUE);

function renderRepair({ changes, heldMs }: RepairView): TemplateResult {
  return html`<section class="sec">
    <h3>${t('What the repair changed')}</h3>
    <table class="changed" aria-label=${t('What the repair changed')}>
      <thead>
        <tr>
          <th>${t('Field')}</th>
          <th>${t('From the server')}</th>
          <th>${t('To the client')}</th>
        </tr>
      </thead>
      <tbody>
        ${changes.map(
          ({ field, from, to }) =>
            html`<tr>
              <th scope="row" class="mono">${renderCut(field, MAX_NAME)}</th>
              <td class="mono">${renderValue(from)}</td>
              <td class="mono">${renderValue(to)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${
      heldMs === undefined
        ? nothing
        : html`<p class="muted">
            ${t('What could be a call was held back for {0}, until it was complete.', formatDuration(heldMs))}
          </p>`
    }
  </section>`;
}
