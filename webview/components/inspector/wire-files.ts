// The attempts of a run with the files of each, and the request as code to copy. Asks the host for the list when
// it is drawn; the host opens the bodies.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type {
  CompareForm,
  ComparePart,
  ExportForm,
  WireAttemptView,
  WireCopyForm,
  WireFileName,
  WireResponseView,
  WireView,
} from '../../../src/protocol';
import { EXPORT_FORMS } from '../../../src/protocol';
import type { AttemptRecord } from '../../../src/types';
import { entriesOf, laneNumber, lastRuns, modelOf } from '../../lanes/lane-queries';
import type { Playground } from '../../playground';
import { attemptResult, formatBytes } from '../../text/format';
import { linkButton } from '../controls/controls';
import type { MenuGroup } from '../controls/menu-button';
import { PanelElement } from '../controls/panel-element';
import { prose, renderCut } from '../controls/prose';
import { renderParameters } from './parameter-table';

/** Labels in the order in which the forms are offered. */
export const FORM_LABELS: Readonly<Record<WireCopyForm, () => string>> = {
  bash: () => 'cURL (bash)',
  powershell: () => 'cURL (PowerShell)',
  fetch: () => 'fetch (JavaScript)',
  python: () => 'httpx (Python)',
  openai: () => t('openai client (TypeScript)'),
  'openai-python': () => t('openai client (Python)'),
  'openai-responses': () => t('openai client (TypeScript)'),
  'openai-responses-python': () => t('openai client (Python)'),
  anthropic: () => t('anthropic client (TypeScript)'),
  'anthropic-python': () => t('anthropic client (Python)'),
  ollama: () => t('ollama client (TypeScript)'),
  provider: () => t('provider of this library (TypeScript)'),
};

const EXPORT_LABELS: Readonly<Record<ExportForm, () => string>> = {
  markdown: () => 'Markdown',
  html: () => t('Save Report…'),
  json: () => 'JSON',
  report: () => t('Report to the makers of the server'),
};

/** What two runs are compared by. */
export const COMPARISONS: readonly { label: () => string; part: ComparePart; form: CompareForm }[] = [
  { label: () => t('Reply'), part: 'reply', form: 'normalised' },
  { label: () => t('Reply as received'), part: 'reply', form: 'raw' },
  { label: () => t('Request'), part: 'request', form: 'normalised' },
  { label: () => t('Request as sent'), part: 'request', form: 'raw' },
  { label: () => t('Tool calls'), part: 'calls', form: 'normalised' },
  { label: () => t('Tool calls as received'), part: 'calls', form: 'raw' },
  { label: () => t('Settings of the lanes'), part: 'lane', form: 'normalised' },
];

const FILE_HINTS: Readonly<Record<WireFileName, () => string>> = {
  'request.json': () => t('The body of the request, formatted'),
  'request.http': () => t('The whole request: address, headers and body, not formatted'),
  'response.json': () => t('The body of the response, formatted'),
  'response.events': () => t('The pieces of the stream, one by one'),
  'response.raw': () => t('The body of the response, not formatted'),
  'headers.txt': () => t('The headers of the request and of the response'),
};

const KIND_NOTES: Partial<Record<WireResponseView['kind'], () => string>> = {
  empty: () => t('The body is empty.'),
  html: () => t('The body is an HTML page, not JSON.'),
  text: () => t('The body is text, not JSON.'),
  binary: () => t('The body is not UTF-8 text.'),
};

export class WireFiles extends PanelElement {
  static override properties = {
    playground: { attribute: false },
    laneId: { attribute: false },
    runId: { attribute: false },
    ledger: { attribute: false },
    prompt: { attribute: false },
    view: { state: true },
    own: { state: true },
  };
  declare playground: Playground;
  declare laneId: string;
  declare runId: string;
  declare ledger: readonly AttemptRecord[];
  /** The section on the rendered prompt, drawn after the attempts. */
  declare prompt: unknown;
  declare view: WireView | undefined;
  /** The server's own defaults, once it was asked. */
  declare own: Readonly<Record<string, string>> | undefined;

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (!changed.has('runId')) return;
    this.view = undefined;
    this.own = undefined;
    void this.#read();
  }

  override render(): unknown {
    const { view } = this;
    if (!view) return html`<p class="muted">${t('Reading the requests and answers…')}</p>`;
    if (view.attempts.length === 0)
      return html`<p class="muted">${this.#describeMissingRecord()}</p>
        ${this.prompt}`;
    const isWithoutHttp = view.attempts.at(-1)?.isWithoutHttp === true;
    return html`<section class="sec">
        <h3>
          ${isWithoutHttp ? t('Inside VS Code') : t('On the wire')}
          <small>${t('each opens in an editor')}</small>
        </h3>
        ${isWithoutHttp ? html`<p>${describeMissingWire()}</p>` : nothing}
        <ol class="wire">
          ${view.attempts.map((attempt, index) => this.#renderAttempt(attempt, view.attempts[index - 1], index))}
        </ol>
      </section>
      ${isWithoutHttp ? renderChanged(view.changed) : this.prompt}
      ${view.copyForms.length > 0 ? this.#renderCopies(view) : nothing}
      ${view.parameters ? renderParameters(view.parameters, isWithoutHttp ? { whose: 'model' } : this.#defaults()) : nothing}
      ${this.#renderExport()}`;
  }

  #defaults() {
    return { own: this.own, onAsk: () => void this.#askServer() };
  }

  #renderCopies(view: WireView): TemplateResult {
    return html`<section class="sec">
      <h3>${t('The request, as code that sends it again')}</h3>
      <p class="muted">${t('A key is read from an environment variable; it is never part of a copy.')}</p>
      <pg-menu-button
        .label=${t('Copy request as')}
        .icon=${'copy'}
        .hasText=${true}
        .groups=${() => this.#toForms(view)}
      ></pg-menu-button>
    </section>`;
  }

  #renderExport(): TemplateResult {
    const hasOthers = this.#others().length > 0;
    return html`<section class="sec">
      <h3>${hasOthers ? t('Compare and export') : t('Export')}</h3>
      <p class="muted">
        ${hasOthers ? t('Both open in an editor; keys are masked.') : t('It opens in an editor; keys are masked.')}
      </p>
      ${
        hasOthers
          ? html`<pg-menu-button
              .label=${t('Compare run with')}
              .icon=${'compare'}
              .hasText=${true}
              .groups=${() => this.#toComparisons()}
            ></pg-menu-button>`
          : nothing
      }
      <pg-menu-button
        .label=${t('Export run as')}
        .icon=${'export'}
        .hasText=${true}
        .groups=${() => this.#toExports()}
      ></pg-menu-button>
    </section>`;
  }

  /** Runs that this one can be compared with: the one before it in its lane, and the last one of each other lane. */
  #others(): { name: string; laneId: string; runId: string }[] {
    const { session } = this.playground.state;
    const own = session.lanes.get(this.laneId);
    const runs = own ? entriesOf(own).filter(({ kind }) => kind === 'run') : [];
    const before = runs[runs.findIndex(({ id }) => id === this.runId) - 1];
    const others = lastRuns(this.playground.state.session).filter(({ laneId }) => laneId !== this.laneId);
    return [
      ...(before ? [{ name: t('The run before it'), laneId: this.laneId, runId: before.id }] : []),
      ...others.map((place) => ({
        name: t('Lane {0}, {1}', laneNumber(session, place.laneId), modelOf(session, place.laneId)),
        ...place,
      })),
    ];
  }

  #toComparisons(): MenuGroup[] {
    const { laneId, runId, playground } = this;
    return this.#others().map(({ name, ...right }) => ({
      heading: name.slice(0, 100),
      items: COMPARISONS.filter(({ part }) => part !== 'lane' || right.laneId !== laneId).map(
        ({ label, part, form }) => ({
          label: label(),
          onSelect: () => void playground.send('run/compare', { left: { laneId, runId }, right, part, form }),
        }),
      ),
    }));
  }

  /** Menu of the exports of this run, and of the last run of each lane. */
  #toExports(): MenuGroup[] {
    const { laneId, runId, playground } = this;
    const last = lastRuns(this.playground.state.session);
    const toItems = (runs: { laneId: string; runId: string }[], forms: readonly ExportForm[]) =>
      forms.map((form) => ({
        label: EXPORT_LABELS[form](),
        onSelect: () => void playground.send('run/export', { runs, form }),
      }));
    const all = EXPORT_FORMS.filter((form) => form !== 'report');
    // There is no server whose makers a report is for.
    const isWithoutHttp = this.view?.attempts.at(-1)?.isWithoutHttp === true;
    const forms = isWithoutHttp ? all : EXPORT_FORMS;
    const own = { heading: t('This run'), items: toItems([{ laneId, runId }], forms) };
    if (last.length < 2) return [own];
    return [own, { heading: t('The last run of each lane'), items: toItems(last, all) }];
  }

  async #read(): Promise<void> {
    const { laneId, runId } = this;
    const view = await this.playground.ask('wire/read', { laneId, runId });
    if (runId === this.runId) this.view = view ?? { attempts: [], copyForms: [] };
  }

  async #askServer(): Promise<void> {
    const { laneId, runId } = this;
    const answer = await this.playground.ask('server/defaults', { laneId, runId });
    if (answer && runId === this.runId) this.own = answer.defaults;
  }

  #describeMissingRecord(): string {
    return this.ledger.length === 0
      ? t('Nothing was sent.')
      : t(
          'The requests and answers are not stored: the run was interrupted, or the history has reached its limits.',
        );
  }

  #renderAttempt(
    attempt: WireAttemptView,
    before: WireAttemptView | undefined,
    index: number,
  ): TemplateResult {
    const { method, url } = attempt;
    const isSame = before?.method === method && before.url === url;
    const record = this.ledger[this.ledger.length - (this.view?.attempts.length ?? 0) + index];
    return html`<li>
      ${isSame ? nothing : html`<p class="mono address">${renderCut(`${method} ${url}`)}</p>`}
      <div class="row">
        <b>${t('Attempt {0}', numberOf(attempt))}</b>
        <span class=${attempt.response ? 'num' : 'mono'}
          >${record ? renderCut(attemptResult(record)) : (attempt.response?.status ?? '–')}</span
        >
        <span class="files">${this.#renderFiles(attempt)}</span>
      </div>
      ${notesOf(attempt).map((note) => html`<p class="muted">${note}</p>`)}
    </li>`;
  }

  #renderFiles(attempt: WireAttemptView): unknown {
    const { files, requestBytes, response, isWithoutHttp } = attempt;
    const link = (file: WireFileName, label: string, bytes?: number): unknown =>
      files.includes(file)
        ? html`<span title=${FILE_HINTS[file]()}
            >${linkButton(label, () => this.#open(attempt, file), t('{0} of attempt {1}', label, numberOf(attempt)))}
            ${bytes === undefined ? nothing : html`<small class="muted num">${formatBytes(bytes)}</small>`}</span
          >`
        : nothing;
    const isJson = files.includes('request.json');
    return html`${link('request.json', t('Request'), requestBytes)}
    ${link('request.http', isJson ? 'HTTP' : t('Request'), isJson ? undefined : requestBytes)}
    ${link('response.json', t('Response'), response?.bytes)}
    ${link('response.events', isWithoutHttp ? t('Parts') : t('Events'), response?.bytes)}
    ${link('response.raw', t('Raw'), isOther(response) ? response?.bytes : undefined)}
    ${link('headers.txt', t('Headers'))}`;
  }

  #open({ name }: WireAttemptView, file: WireFileName): void {
    const { laneId, runId } = this;
    void this.playground.send('wire/open', { laneId, runId, attempt: name, file });
  }

  #toForms({ copyForms }: WireView): MenuGroup[] {
    const items = (Object.keys(FORM_LABELS) as WireCopyForm[])
      .filter((form) => copyForms.includes(form))
      .map((form) => ({
        label: FORM_LABELS[form](),
        onSelect: () => void copyRequest(this.playground, this, form),
      }));
    return [{ items }];
  }
}

/** Copies the request of a run, and says which variables the copy reads. */
export async function copyRequest(
  playground: Playground,
  { laneId, runId }: { laneId: string; runId: string },
  form: WireCopyForm,
): Promise<void> {
  const copied = await playground.ask('wire/copy', { laneId, runId, form });
  if (!copied) return;
  const { variables } = copied;
  const label = FORM_LABELS[form]();
  playground.notify(
    variables.length > 0
      ? t('The request was copied as {0}. It reads the key from {1}.', label, variables.join(', '))
      : t('The request was copied as {0}.', label),
  );
}

const describeMissingWire = (): string =>
  t(
    'VS Code passed the request on to the extension of the model. There is no wire, no status and no finish reason; what arrived are the parts, each with its time.',
  );

/** What VS Code has no form for. */
const renderChanged = (changed: readonly string[] = []): unknown =>
  changed.length === 0
    ? nothing
    : html`<section class="sec">
        <h3>${t('Changed for VS Code')}</h3>
        ${changed.map((sentence) => html`<p>${prose(sentence)}</p>`)}
      </section>`;

/** Such as `2` of `attempt-2`. */
const numberOf = ({ name }: WireAttemptView): string => name.replace(/^attempt-/, '').replaceAll('-', ', ');

/** True for a body of no known kind, which no other file shows. */
const isOther = (response: WireResponseView | undefined): boolean =>
  response !== undefined && !['json', 'events', 'lines'].includes(response.kind);

function notesOf({ response }: WireAttemptView): string[] {
  if (!response) return [t('No answer was received.')];
  const { kind, contentType, bytes, isComplete, omittedBytes } = response;
  const type = contentType === '' ? t('no content type') : contentType;
  const what = KIND_NOTES[kind]?.();
  return [
    ...(what === undefined ? [] : [kind === 'empty' ? what : t('{0} Its type: {1}.', what, type)]),
    ...(isComplete ? [] : [t('The answer broke off after {0}.', formatBytes(bytes))]),
    ...(omittedBytes > 0 ? [t('{0} more arrived and are not kept.', formatBytes(omittedBytes))] : []),
  ];
}
