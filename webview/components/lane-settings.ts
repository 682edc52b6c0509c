// The settings of a lane: connection, model, sampling, rescue. Says which fields this back end has no word for.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ConnectionView } from '../../src/protocol';
import type { LimitKey } from '../agent-limits';
import { LIMIT_FIELDS, LIMIT_KEYS, limitProblem } from '../agent-limits';
import type { Playground } from '../playground';
import type { SamplingKey } from '../sampling-fields';
import { SAMPLING_FIELDS, samplingProblem } from '../sampling-fields';
import { chatModels, currentConnection, withLane, withSampling } from '../state';
import { checkbox, linkButton, textArea, textField } from './controls';
import { prose } from './prose';

const PAIRED: readonly SamplingKey[] = ['temperature', 'topP', 'topK', 'seed', 'maxTokens', 'numCtx'];

const SCOPES: Record<ConnectionView['scope'], string> = {
  'built-in': 'built in',
  user: 'from the user settings',
  workspace: 'from the workspace settings',
  folder: 'from the settings of a folder',
  module: 'from a module of custom providers',
  extension: 'from another extension',
};

export function renderLaneSettings(playground: Playground): TemplateResult {
  const { lane } = playground.state;
  return html`<div class="settings" role="group" aria-label="Settings of lane 1">
    ${renderConnection(playground)} ${renderModel(playground)}
    ${PAIRED.map((key) => renderSampling(playground, key))} ${renderSampling(playground, 'stop')}
    ${renderSampling(playground, 'repeatPenalty')}
    <div class="switch">
      ${checkbox('Rescue tool calls', lane.rescueToolCalls, (rescueToolCalls) =>
        playground.update((state) => withLane(state, { rescueToolCalls })),
      )}
    </div>
    <p class="hint wide">An empty field is not sent, so the server's own default applies.</p>
    <h3 class="wide">Run to the end</h3>
    ${LIMIT_KEYS.map((key) => renderLimit(playground, key))}
    <p class="hint wide">It asks, answers tool calls with the mocks of the tools, and asks again.</p>
  </div>`;
}

function renderConnection(playground: Playground): TemplateResult {
  const { state } = playground;
  const connections = state.snapshot?.connections ?? [];
  const connection = currentConnection(state);
  const choices = connections.map(({ id, label }) => ({ id, label }));
  const { connectionId } = state.lane;
  if (!connection && connectionId) choices.unshift({ id: connectionId, label: `${connectionId} (gone)` });
  return html`<div class="wide field">
    <pg-select-box
      .label=${'Connection'}
      .value=${connectionId}
      .choices=${choices}
      @pg-change=${({ detail }: CustomEvent<string>) => playground.chooseConnection(detail)}
    ></pg-select-box>
    <p class="hint">
      ${connection ? describePlace(connection) : 'This connection is no longer defined.'}
      ${connection?.scope === 'built-in' ? nothing : linkButton('Open settings', () => void playground.openSettings())}
      ${
        connection?.needsKey && connection.hasKey
          ? linkButton('Forget API key', () => void playground.changeKey('connection/forget-key'))
          : nothing
      }
    </p>
  </div>`;
}

function describePlace({ address, scope }: ConnectionView): string {
  return address === SCOPES[scope] ? address : `${address}, ${SCOPES[scope]}`;
}

function renderModel(playground: Playground): TemplateResult {
  const { lane, models } = playground.state;
  const list = models[lane.connectionId];
  const options = chatModels(playground.state, lane.connectionId);
  // a local server takes a name without a tag for this one
  const latest = options.includes(lane.model) ? '' : `${lane.model}:latest`;
  const choose = ({ detail }: CustomEvent<string>): void =>
    playground.update((state) => withLane(state, { model: detail }));
  return html`<div class="wide field">
    <pg-combo-box
      .label=${'Model'}
      .value=${lane.model}
      .options=${options}
      .current=${options.includes(latest) ? latest : ''}
      .placeholder=${'the name of a model'}
      @pg-change=${choose}
    ></pg-combo-box>
    ${list?.status === 'loading' ? html`<p class="hint">Reading the list of models…</p>` : nothing}
    ${
      list?.status === 'ready' && list.models.length === 0
        ? html`<p class="hint">The server lists no models; type a name.</p>`
        : nothing
    }
    ${
      list?.status === 'failed'
        ? html`<p class="hint">
            The list could not be read, so type a name.
            ${prose(`${list.error.what} ${list.error.why} ${list.error.next}`)}
            ${linkButton('Try again', () => void playground.readModels())}
          </p>`
        : nothing
    }
  </div>`;
}

function renderSampling(playground: Playground, key: SamplingKey): TemplateResult {
  const { state } = playground;
  const text = state.lane.sampling[key];
  const problem = samplingProblem(key, text);
  const connection = currentConnection(state);
  const isDropped = connection !== undefined && connection.samplingKeys[key] === null;
  const options = {
    label: SAMPLING_FIELDS[key].label,
    value: text,
    problem: problem && `must be ${problem}`,
    hint: isDropped ? 'dropped, this server has no word for it' : undefined,
    onInput: (value: string) => playground.update((before) => withSampling(before, key, value)),
  };
  return key === 'stop'
    ? textArea({ ...options, placeholder: 'not sent; one a line', className: 'wide', rows: lines(text) })
    : textField({ ...options, placeholder: 'not sent' });
}

function renderLimit(playground: Playground, key: LimitKey): TemplateResult {
  const { limits } = playground.state.lane;
  const { label, placeholder } = LIMIT_FIELDS[key];
  const problem = limitProblem(key, limits[key]);
  return textField({
    label,
    placeholder,
    value: limits[key],
    problem: problem && `must be ${problem}`,
    onInput: (value) =>
      playground.update((state) => withLane(state, { limits: { ...state.lane.limits, [key]: value } })),
  });
}

function lines(text: string): number {
  return Math.min(Math.max(text.split('\n').length, 1), 6);
}
