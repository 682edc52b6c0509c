// What happened to each sampling parameter, as a table: its value, where it was set, and what it was sent as.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ParameterWay } from '../../../src/types';
import { icon } from '../../icons';
import { nothingSet } from '../../lanes/sampling-fields';
import { countOf } from '../../text/format';
import { linkButton } from '../controls/controls';
import { renderCut } from '../controls/prose';
import { sentence } from '../../text/sentence';

const PLACES = { lane: () => t('lane'), connection: () => t('connection') } as const;

interface Defaults {
  /** Whose they are. @default the server's */
  whose?: 'server' | 'model';
  /** The server's own, by key; undefined until it was asked. */
  own?: Readonly<Record<string, string>> | undefined;
  /** Asks the server for them; absent where there is none to ask. */
  onAsk?: () => void;
}

export function renderParameters(
  parameters: readonly ParameterWay[],
  { whose = 'server', own, onAsk }: Defaults = {},
): TemplateResult {
  const rest = parameters.filter((parameter) => !isSet(parameter));
  return html`<section class="sec">
    <h3>${t('Parameters')} <small>${summarize(parameters, whose)}</small></h3>
    ${renderTable(parameters.filter(isSet), own)}
    ${
      rest.length === 0
        ? nothing
        : html`<details class="fold" .open=${own !== undefined}>
            <summary>${icon('right')}${t('{0} not set', rest.length)}</summary>
            ${renderTable(rest, own)}
          </details>`
    }
    ${
      own
        ? html`<p class="muted" role="status">${describeOwn(own)}</p>`
        : onAsk
          ? html`<p>${linkButton(t('Ask the server for its own defaults'), onAsk)}</p>`
          : nothing
    }
  </section>`;
}

const isSet = ({ way }: ParameterWay): boolean => way !== 'not-set';

function renderTable(
  parameters: readonly ParameterWay[],
  own: Readonly<Record<string, string>> | undefined,
): unknown {
  if (parameters.length === 0) return nothing;
  const isReported = parameters.some(({ reported }) => reported !== undefined);
  return html`<table class="num parameters">
    <thead>
      <tr>
        <th>${t('Parameter')}</th>
        <th class="r">${t('Value')}</th>
        <th>${t('Set in')}</th>
        <th>${t('Sent as')}</th>
        ${isReported ? html`<th class="r" title=${t('What the reply says that it was made with')}>${t('Reported')}</th>` : nothing}
        ${own ? html`<th class="r">${t("Server's own")}</th>` : nothing}
      </tr>
    </thead>
    <tbody>
      ${parameters.map((parameter) => renderRow(parameter, { own, isReported }))}
    </tbody>
  </table>`;
}

/** Such as `6 set, 3 sent, 2 dropped, 1 overridden`. */
function summarize(parameters: readonly ParameterWay[], whose: 'server' | 'model'): string {
  const count = (...ways: ParameterWay['way'][]): number =>
    parameters.filter(({ way }) => ways.includes(way)).length;
  const set = parameters.filter(({ value }) => value !== undefined).length;
  const parts: [number, string][] = [
    [set, t('{0} set')],
    [count('sent'), t('{0} sent')],
    [count('dropped', 'refused'), t('{0} dropped')],
    [count('overridden', 'removed'), t('{0} overridden')],
    [count('raw'), t('{0} by raw alone')],
  ];
  const phrases = parts
    .filter(([number]) => number > 0)
    .map(([number, words]) => countOf(number, words, words));
  return phrases.length > 0 ? phrases.join(', ') : nothingSet(whose);
}

const describeOwn = (own: Readonly<Record<string, string>>): string =>
  Object.keys(own).length > 0
    ? t("Server's own: the value that the server uses when a request sets none, as it just reported.")
    : t('The server does not report its own defaults.');

function renderRow(
  parameter: ParameterWay,
  { own, isReported }: { own: Readonly<Record<string, string>> | undefined; isReported: boolean },
): TemplateResult {
  const { key, value, setIn } = parameter;
  return html`<tr>
    <th scope="row" class="mono">${key}</th>
    <td class="r ${value === undefined ? 'muted' : 'mono'}">
      ${value === undefined ? t('not set') : renderCut(value, 60)}
    </td>
    <td class="muted">${setIn === undefined ? '–' : PLACES[setIn]()}</td>
    <td>${renderWay(parameter)}</td>
    ${isReported ? html`<td class="r mono">${renderReported(parameter)}</td>` : nothing}
    ${own ? html`<td class="r mono">${own[key] === undefined ? '–' : renderCut(own[key], 60)}</td>` : nothing}
  </tr>`;
}

/** With a mark where it is not what was sent. */
function renderReported({ reported, sentValue = reported }: ParameterWay): unknown {
  if (reported === undefined) return '–';
  const value = renderCut(reported, 60);
  return reported === sentValue
    ? value
    : html`<span class="s-warning" title=${t('Not what was sent')}>${icon('warning')}</span> ${value}`;
}

function renderWay({ way, sentAs = '', sentValue = '' }: ParameterWay): unknown {
  const key = html`<span class="mono">${renderCut(sentAs, 60)}</span>`;
  const value = html`<span class="mono">${renderCut(sentValue, 60)}</span>`;
  const warning = html`<span class="s-warning">${icon('warning')}</span>`;
  switch (way) {
    case 'sent':
      return key;
    case 'overridden':
      return html`${warning} ${sentence(t('{0}: {1} from raw overrides it'), key, value)}`;
    case 'removed':
      return html`${warning} ${t('removed by raw')}`;
    case 'dropped':
      return html`${icon('none')} ${t('dropped, not supported by this connection')}`;
    case 'refused':
      return html`${icon('none')} ${t('left out, this model does not take it')}`;
    case 'raw':
      return html`${sentence(t('{0}: {1} from raw'), key, value)}`;
    case 'chosen':
      return html`${sentence(t('{0}: {1}, chosen because the protocol requires a value'), key, value)}`;
    case 'not-set':
      return html`<span class="muted">–</span>`;
    default:
      return nothing;
  }
}
