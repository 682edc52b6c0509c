// The settings of a lane: connection, model, sampling, rescue, tool choice, raw keys, limits. Marks the fields
// that the provider cannot send. Typed values go into the document field by field.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ConnectionView, DocumentLane } from '../../../src/protocol';
import { fieldKey, fieldText, parseField } from '../../lanes/lane-fields';
import {
  canEdit,
  chatModels,
  connectionOf,
  describeOmitted,
  laneNumber,
  laneSettings,
  modelOf,
} from '../../lanes/lane-queries';
import { LIMIT_FIELDS, LIMIT_KEYS } from '../../lanes/limit-fields';
import type { SamplingKey } from '../../lanes/sampling-fields';
import { describeSettings, SAMPLING_FIELDS } from '../../lanes/sampling-fields';
import type { PanelState } from '../../state/panel-state';
import { checkbox, linkButton, rowsOf, textArea, textField } from '../controls/controls';
import { prose } from '../controls/prose';
import { StoreElement } from '../controls/store-element';

const PAIRED: readonly SamplingKey[] = ['temperature', 'topP', 'topK', 'seed', 'maxTokens', 'numCtx'];

const SCOPES: Record<ConnectionView['scope'], () => string> = {
  'built-in': () => t('built in'),
  user: () => t('from the user settings'),
  workspace: () => t('from the workspace settings'),
  folder: () => t('from the settings of a folder'),
  module: () => t('from a module of custom providers'),
  extension: () => t('from another extension'),
};
const CHOICES = ['auto', 'none', 'required'] as const;

export class LaneSettings extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    laneId: { attribute: false as const },
  };
  declare laneId: string;
  /** How often a connection was chosen here: only the latest choice fills in a model. */
  #choices = 0;

  override render(): TemplateResult {
    const { session } = this.playground.state;
    const lane = laneSettings(session, this.laneId);
    if (!lane) return html``;
    const number = laneNumber(session, this.laneId);
    const isRescueOff = connectionOf(session, this.laneId)?.isRescueOff === true;
    return html`<div class="settings" role="group" aria-label=${t('Settings of lane {0}', number)}>
      ${this.#renderConnection(lane)} ${this.#renderModel(lane)}
      ${PAIRED.map((key) => this.#renderSampling(key))} ${this.#renderSampling('stop')}
      ${this.#renderSampling('repeatPenalty')}
      <div class="switch">
        ${checkbox(t('Rescue tool calls'), lane.rescueToolCalls && !isRescueOff, {
          isDisabled: !canEdit(session) || isRescueOff,
          // On is the default, which the document leaves out.
          onChange: (isOn) => this.#edit('rescueToolCalls', isOn ? undefined : false),
        })}
      </div>
      ${this.#renderToolChoice(lane)} ${this.#renderRaw()}
      <p class="hint wide">${t("An empty field is not sent, so the server's own default applies.")}</p>
      <h3 class="wide">${t('Agent runs')}</h3>
      ${LIMIT_KEYS.map((key) =>
        this.#renderField(`limits.${key}`, LIMIT_FIELDS[key].label(), LIMIT_FIELDS[key].placeholder()),
      )}
      <p class="hint wide">
        ${t('An agent run asks the model, answers its tool calls with mocks, and asks again.')}
      </p>
    </div>`;
  }

  protected override watched({ session, view, models }: PanelState): readonly unknown[] {
    return [
      laneNumber(session, this.laneId),
      // Compared by value: the document is a new object after every key typed anywhere.
      JSON.stringify([laneSettings(session, this.laneId), session.document?.tools.map(({ name }) => name)]),
      session.environment,
      canEdit(session),
      view.fields,
      models,
    ];
  }

  #edit(key: keyof DocumentLane, value: unknown): void {
    const { session } = this.playground.state;
    const index = session.document?.document.lanes.findIndex(({ id }) => id === this.laneId) ?? -1;
    if (index < 0) return;
    const path = ['lanes', index, key];
    void this.playground.edit([value === undefined ? { path } : { path, value }]);
  }

  #renderConnection(lane: DocumentLane): TemplateResult {
    const { playground } = this;
    const { session } = playground.state;
    const connection = connectionOf(session, this.laneId);
    const choices = (session.environment?.connections ?? []).map(({ id, label }) => ({ id, label }));
    if (!connection) choices.unshift({ id: lane.connection, label: t('{0} (not set up)', lane.connection) });
    return html`<div class="wide field">
      <pg-select-box
        .label=${t('Connection')}
        .value=${lane.connection}
        .choices=${choices}
        .isDisabled=${!canEdit(session)}
        @pg-change=${({ detail }: CustomEvent<string>) => void this.#chooseConnection(detail)}
      ></pg-select-box>
      <p class="hint">
        ${connection ? describeConnection(connection) : t('This computer has no connection of this name.')}
        ${connection?.scope === 'built-in' ? nothing : linkButton(t('Open settings'), () => void playground.send('settings/open', {}))}
        ${
          connection?.needsKey && connection.hasKey
            ? linkButton(
                t('Forget API key'),
                () => void playground.send('connection/forget-key', { connectionId: connection.id }),
              )
            : nothing
        }
      </p>
    </div>`;
  }

  /** Changes the connection and, unless the other server has it too, the model; both are one undo step. */
  async #chooseConnection(connectionId: string): Promise<void> {
    const { playground, laneId } = this;
    const { lanes = [] } = playground.state.session.document?.document ?? {};
    const index = lanes.findIndex(({ id }) => id === laneId);
    const before = lanes[index];
    if (!before || before.connection === connectionId) return;
    const choice = ++this.#choices;
    const gather = `connection ${laneId}`.slice(0, 200);
    const connections = playground.state.session.environment?.connections ?? [];
    const { label = '', model: preset } = connections.find(({ id }) => id === connectionId) ?? {};
    await playground.edit(
      [
        { path: ['lanes', index, 'connection'], value: connectionId },
        ...(before.model === undefined ? [] : [{ path: ['lanes', index, 'model'] }]),
      ],
      { gather },
    );
    await playground.readModels(connectionId);
    const listed = chatModels(playground.state, connectionId);
    const kept = listed.find((model) => model === before.model);
    const model = kept ?? (preset === undefined ? listed[0] : undefined);
    if (choice !== this.#choices) return;
    const place = this.#findUnchanged(connectionId, before);
    if (place < 0) return;
    if (model !== undefined)
      await playground.edit([{ path: ['lanes', place, 'model'], value: model }], { gather });
    const now = model ?? preset;
    if (before.model !== undefined && kept === undefined && listed.length > 0 && now !== undefined)
      playground.notify(t('{0} does not list {1}: the lane uses {2} now.', label, before.model, now));
  }

  /**
   * The present index of the lane; -1 when it is gone, or somebody has chosen a connection or a model for it since. The
   * choice of the connection itself may not have arrived in the document yet.
   */
  #findUnchanged(connectionId: string, before: DocumentLane): number {
    const { session, view } = this.playground.state;
    if (view.fields.has(fieldKey('lane.model', this.laneId))) return -1;
    const isFree = ({ connection, model }: DocumentLane): boolean =>
      (connection === connectionId && model === undefined) ||
      (connection === before.connection && model === before.model);
    const { lanes = [] } = session.document?.document ?? {};
    return lanes.findIndex((lane) => lane.id === this.laneId && isFree(lane));
  }

  #renderModel(lane: DocumentLane): TemplateResult {
    const { playground, laneId } = this;
    const { state } = playground;
    const key = fieldKey('lane.model', laneId);
    const list = state.models.get(lane.connection);
    const options = chatModels(state, lane.connection);
    const value = fieldText(state, key);
    const problem = state.view.fields.has(key) ? parseField(key, value).problem : undefined;
    // A local server reads a model name without a tag as `:latest`.
    const latest = options.includes(value) ? '' : `${value}:latest`;
    return html`<div class="wide field">
      <pg-combo-box
        .label=${t('Model')}
        .value=${value}
        .options=${options}
        .current=${options.includes(latest) ? latest : ''}
        .placeholder=${modelOf(state.session, laneId) || t('the name of a model')}
        .isDisabled=${!canEdit(state.session)}
        .isInvalid=${problem !== undefined}
        @pg-change=${({ detail }: CustomEvent<string>) => playground.fields.type(key, detail)}
        @pg-choose=${({ detail }: CustomEvent<string>) => playground.fields.choose(key, detail)}
        @focusout=${() => playground.fields.leave(key)}
      ></pg-combo-box>
      ${problem ? html`<p class="wrong" role="alert">${problem}</p>` : nothing}
      ${list?.status === 'loading' ? html`<p class="hint">${t('Reading the list of models…')}</p>` : nothing}
      ${
        list?.status === 'ready' && list.models.length === 0
          ? html`<p class="hint">${t('The server lists no models. Type a name.')}</p>`
          : nothing
      }
      ${list?.omitted ? html`<p class="hint">${describeOmitted(list)}</p>` : nothing}
      ${
        list?.status === 'failed'
          ? html`<p class="hint">
              ${t('The list of models could not be read. Type a name.')}
              ${prose(`${list.error.what} ${list.error.why} ${list.error.next}`)}
              ${linkButton(t('Read again'), () => void playground.readModels(lane.connection))}
            </p>`
          : nothing
      }
    </div>`;
  }

  #renderSampling(key: SamplingKey): TemplateResult {
    const connection = connectionOf(this.playground.state.session, this.laneId);
    const hasWord = connection?.samplingKeys[key] !== null;
    const isSet = laneSettings(this.playground.state.session, this.laneId)?.sampling[key] !== undefined;
    return this.#renderField(
      `sampling.${key}`,
      SAMPLING_FIELDS[key].label(),
      key === 'stop' ? t('not sent; one per line') : t('not sent'),
      hasWord ? undefined : noCounterpartNote(isSet),
    );
  }

  #renderRaw(): TemplateResult {
    const keys = connectionOf(this.playground.state.session, this.laneId)?.samplingKeys;
    // A server of the local protocol reads its parameters only under `options`; of the two, only it has this key.
    const example = keys?.numCtx === 'num_ctx' ? '{"options": {"num_batch": 64}}' : '{"top_k": 20}';
    return this.#renderField(
      'lane.raw',
      t('Raw keys'),
      example,
      t('JSON that is merged into the request last; it may override anything.'),
    );
  }

  #renderField(name: string, label: string, placeholder: string, hint?: string): TemplateResult {
    const { playground } = this;
    const key = fieldKey(name, this.laneId);
    const value = fieldText(playground.state, key);
    const options = {
      label,
      value,
      placeholder,
      problem: playground.state.view.fields.has(key) ? parseField(key, value).problem : undefined,
      hint,
      isDisabled: !canEdit(playground.state.session),
      onInput: (text: string) => playground.fields.type(key, text),
      onLeave: () => playground.fields.leave(key),
    };
    if (name === 'sampling.stop')
      return textArea({ ...options, className: 'wide', rows: rowsOf(value, 1, 6) });
    if (name === 'lane.raw') {
      return textArea({ ...options, className: 'wide is-data', rows: rowsOf(value, 2, 10) });
    }
    return textField(options);
  }

  #renderToolChoice({ toolChoice }: DocumentLane): TemplateResult {
    const { session } = this.playground.state;
    const names = [...new Set((session.document?.tools ?? []).map(({ name }) => name))];
    const chosen = typeof toolChoice === 'object' ? toolChoice.tool : undefined;
    const tools = chosen === undefined || names.includes(chosen) ? names : [chosen, ...names];
    const value = typeof toolChoice === 'object' ? `tool ${toolChoice.tool}` : (toolChoice ?? '');
    const hasWord = connectionOf(session, this.laneId)?.toolChoiceKey !== null;
    const choose = ({ detail }: CustomEvent<string>): void => this.#edit('toolChoice', toToolChoice(detail));
    return html`<div class="wide field">
      <pg-select-box
        .label=${t('Tool choice')}
        .value=${value}
        .choices=${[
          { id: '', label: t('not sent') },
          ...CHOICES.map((id) => ({ id, label: id })),
          ...tools.map((name) => ({ id: `tool ${name}`, label: name })),
        ]}
        .isDisabled=${!canEdit(session)}
        @pg-change=${choose}
      ></pg-select-box>
      ${hasWord ? nothing : html`<p class="hint">${noCounterpartNote(toolChoice !== undefined)}</p>`}
    </div>`;
  }
}

/** Note on a field without a counterpart; only a value that is set is called dropped. */
const noCounterpartNote = (isSet: boolean): string =>
  isSet ? t('dropped, not supported by this connection') : t('not supported by this connection');

function toToolChoice(id: string): DocumentLane['toolChoice'] {
  const choice = CHOICES.find((known) => known === id);
  if (choice) return choice;
  return id.startsWith('tool ') ? { tool: id.slice('tool '.length) } : undefined;
}

/** Address of the connection, and the settings that it gives every lane, if any. */
function describeConnection(connection: ConnectionView): string {
  const { sampling, isRescueOff = false } = connection;
  const place = describePlace(connection);
  if (!sampling && !isRescueOff) return place;
  const presets = describeSettings({ sampling: sampling ?? {}, rescueToolCalls: !isRescueOff });
  return t('{0}; sets {1}', place, presets);
}

function describePlace({ address, scope }: ConnectionView): string {
  const words = SCOPES[scope]();
  return scope === 'built-in' || address === words ? words : `${address}, ${words}`;
}
