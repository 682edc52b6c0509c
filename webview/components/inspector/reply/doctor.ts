// The findings of a run with their evidence and remedies, and, on demand, what the server says about the model.
import { t } from '@vscode/l10n';
import type { TemplateResult } from 'lit';
import { html, nothing } from 'lit';
import type { ConnectionView, RunEntry } from '../../../../src/protocol';
import type { Finding, FindingCause, InspectorTab } from '../../../../src/types';
import { focusSoon, inspectorPane } from '../../../focus/focus';
import { isBusy } from '../../../lanes/lane-queries';
import type { PanelState } from '../../../state/panel-state';
import { linkButton } from '../../controls/controls';
import { StoreElement } from '../../controls/store-element';
import { openLaneSettings } from '../../lane/lane-title';
import { renderFindings } from './findings-section';
import { renderRemedies } from './remedy-buttons';
import { showTab } from '../show-tab';

const TAB_LINKS: Record<InspectorTab, () => string> = {
  reply: () => t('Show reply'),
  'tool-calls': () => t('Show tool calls'),
  rescue: () => t('Show in text'),
  attempts: () => t('Show attempts'),
  wire: () => t('Show the wire'),
};

/** Causes that another model avoids. */
const OF_MODEL: ReadonlySet<FindingCause> = new Set(['model-without-tools', 'no-such-model']);
/** Causes that the prompt itself may show: an empty end, tools or messages that are missing from it. */
const IN_PROMPT: ReadonlySet<FindingCause> = new Set([
  'nothing-arrived',
  'empty-reply',
  'no-call',
  'model-untold',
  'prompt-cut',
]);
/** Verdicts that the server's description of the model may help to explain. */
const ASKED_AFTER: ReadonlySet<string> = new Set(['none', 'malformed', 'rescued', 'failed', 'answer']);

export class Doctor extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    laneId: { attribute: false as const },
    run: { attribute: false as const },
    serverFindings: { attribute: false as const },
  };
  declare laneId: string;
  declare run: RunEntry;
  /** What the server said about the model of this run; `findings` is absent while the request is under way. */
  declare serverFindings: { runId: string; findings?: readonly Finding[] } | undefined;

  override render(): unknown {
    const { run, serverFindings } = this;
    const { outcome } = run;
    if (!outcome) return nothing;
    const ofModel = serverFindings?.runId === run.id ? (serverFindings.findings ?? []) : [];
    const isNone = outcome.verdict.kind === 'none';
    const canAsk = this.#hasServer() && ASKED_AFTER.has(outcome.verdict.kind) && outcome.findings.length > 0;
    return renderFindings([...outcome.findings, ...ofModel], {
      note: isNone ? t('why there is no tool call') : undefined,
      renderBelow: (finding) => html`${this.#renderLinks(finding)} ${this.#renderRemedies(finding)}`,
      foot: canAsk ? this.#renderAsk() : undefined,
    });
  }

  #hasLane(): boolean {
    return this.playground.state.session.document !== undefined;
  }

  protected override watched({ session }: PanelState): readonly unknown[] {
    const { document, environment, lanes } = session;
    const lane = lanes.get(this.laneId);
    return [document, environment, isBusy(session, this.laneId), lane?.order];
  }

  #renderLinks({ tab, cause, remedies = [] }: Finding): unknown {
    // Without a remedy here, the settings of the connection turn rescue off.
    const isInSettings = cause === 'rescue-off' && remedies.length === 0;
    const isOfModel = this.#hasLane() && cause !== undefined && OF_MODEL.has(cause);
    return html`${tab && tab !== 'reply' ? linkButton(TAB_LINKS[tab](), () => showTab(this.playground, this.laneId, this.run, tab)) : nothing}
    ${cause && IN_PROMPT.has(cause) && this.#rendersPrompts() ? linkButton(t('Show rendered prompt'), () => this.#showPrompt()) : nothing}
    ${isInSettings ? linkButton(t('Open settings'), () => void this.playground.send('settings/open', {})) : nothing}
    ${isOfModel ? linkButton(t('Choose another model'), () => openLaneSettings(this.playground, this.laneId, 'model')) : nothing}`;
  }

  /** Whether the server of the run may render prompts. */
  #rendersPrompts(): boolean {
    return this.#connection()?.rendersPrompts === true;
  }

  /** A recorded run has no lane whose connection could be asked, and a model of the editor has no server. */
  #hasServer(): boolean {
    return this.#hasLane() && this.#connection()?.isInEditor !== true;
  }

  #connection(): ConnectionView | undefined {
    const { connections = [] } = this.playground.state.session.environment ?? {};
    const id = this.run.outcome?.connectionId;
    return connections.find((connection) => connection.id === id);
  }

  #showPrompt(): void {
    const { playground, laneId, run } = this;
    void playground.prompts.ask({ laneId, runId: run.id });
    showTab(playground, laneId, run, 'wire');
  }

  #renderRemedies({ remedies = [] }: Finding): unknown {
    const { playground, laneId, run } = this;
    return renderRemedies({ playground, laneId, run, next: inspectorPane }, remedies);
  }

  #renderAsk(): TemplateResult {
    const { serverFindings, run } = this;
    if (serverFindings?.runId === run.id && serverFindings.findings) {
      return html`<p class="muted" role="status">${t('The server was asked about the model.')}</p>`;
    }
    if (serverFindings?.runId === run.id)
      return html`<p class="muted" role="status">${t('Asking the server…')}</p>`;
    return html`<p>${linkButton(t('Ask the server about the model'), () => void this.#ask())}</p>`;
  }

  async #ask(): Promise<void> {
    const { playground, laneId, run } = this;
    this.serverFindings = { runId: run.id };
    focusSoon(inspectorPane);
    const answer = await playground.ask('server/model', { laneId, runId: run.id });
    if (this.run.id === run.id) this.serverFindings = answer && { runId: run.id, findings: answer.findings };
  }
}
