// Reads a stored reply again in another way, without a request: rescue on or off, one format or all, other tools.
// Shows the result beside the original reading.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Reading, ReadingOptions, ReadingPair } from '../../../../src/protocol';
import type { Playground } from '../../../playground';
import { countOf } from '../../../text/format';
import { linkButton } from '../../controls/controls';
import { jsonValue } from '../../controls/json-text';
import { PanelElement } from '../../controls/panel-element';
import { renderCut } from '../../controls/prose';
import type { Choice } from '../../controls/select-box';

const ALL = 'all';
const toolChoices = (): Choice[] => [
  { id: 'offered', label: t('As they were offered') },
  { id: 'current', label: t('As the playground offers them now') },
  { id: 'none', label: t('None') },
];

export class ReadAgain extends PanelElement {
  static override properties = {
    playground: { attribute: false },
    laneId: { attribute: false },
    runId: { attribute: false },
    wasRescued: { attribute: false },
    options: { state: true },
    pair: { state: true },
  };
  declare playground: Playground;
  declare laneId: string;
  declare runId: string;
  /** Whether a call was taken from the text originally; the first new reading then has rescue off, otherwise on. */
  declare wasRescued: boolean;
  declare options: ReadingOptions;
  declare pair: ReadingPair | undefined;

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (!changed.has('runId')) return;
    this.pair = undefined;
    this.#read({ rescueToolCalls: !this.wasRescued, tools: 'offered' });
  }

  override render(): TemplateResult {
    return html`<section class="sec" aria-label=${t('Read again')}>
      <h3>${t('Read again without sending')} <small>${t('0 requests')}</small></h3>
      ${this.#renderOptions()} ${this.pair ? this.#renderPair(this.pair) : nothing}
    </section>`;
  }

  #renderOptions(): TemplateResult {
    const { options, pair } = this;
    const formats = [
      { id: ALL, label: t('All formats') },
      ...(pair?.formats ?? []).map(({ id, title }) => ({ id, label: `${id}: ${title}` })),
    ];
    return html`<div class="reading-options">
      <pg-select-box
        .label=${t('Compare with')}
        .value=${options.rescueToolCalls ? 'on' : 'off'}
        .choices=${[
          { id: 'on', label: t('rescue on') },
          { id: 'off', label: t('rescue off') },
        ]}
        @pg-change=${({ detail }: CustomEvent<string>) =>
          this.#read({ ...options, rescueToolCalls: detail === 'on' })}
      ></pg-select-box>
      <pg-select-box
        .label=${t('Format')}
        .value=${options.format ?? ALL}
        .choices=${formats}
        @pg-change=${({ detail }: CustomEvent<string>) =>
          this.#read({ ...options, format: detail === ALL ? undefined : detail })}
      ></pg-select-box>
      <pg-select-box
        .label=${t('Tools for this reading')}
        .value=${options.tools}
        .choices=${toolChoices()}
        @pg-change=${({ detail }: CustomEvent<ReadingOptions['tools']>) =>
          this.#read({ ...options, tools: detail })}
      ></pg-select-box>
    </div>`;
  }

  #renderPair({ before, after, isSame }: ReadingPair): TemplateResult {
    return html`<p role="status">
        ${isSame ? t('Nothing is different.') : describeChange(before, after)}
        ${isSame ? nothing : linkButton(t('Compare in an editor'), () => this.#compare())}
      </p>
      <div class="readings">
        ${renderReading(t('Original reading'), before)} ${renderReading(t('Read again'), after)}
      </div>`;
  }

  #read(options: ReadingOptions): void {
    this.options = options;
    void this.#ask(options);
  }

  async #ask(options: ReadingOptions): Promise<void> {
    const pair = await this.playground.ask('reading/make', this.#toParams(options));
    // Options may have changed during the request; only the answer to the latest ones counts.
    if (pair && options === this.options) this.pair = pair;
  }

  #compare(): void {
    void this.playground.send('reading/compare', this.#toParams(this.options));
  }

  #toParams({ format, ...rest }: ReadingOptions) {
    const { laneId, runId } = this;
    return { laneId, runId, ...rest, ...(format !== undefined && { format }) };
  }
}

function describeChange({ calls: before }: Reading, { calls: after }: Reading): string {
  if (after.length === 0 && before.length > 0)
    return t('Read this way, the text is the final answer and there is no call.');
  if (before.length === 0 && after.length > 0)
    return countOf(
      after.length,
      t('Read this way, {0} call would be rescued, and the run would continue with its result.'),
      t('Read this way, {0} calls would be rescued, and the run would continue with their results.'),
    );
  return t('Read this way, the reply is different.');
}

function renderReading(
  title: string,
  { content, length, calls, rejected, omittedCalls }: Reading,
): TemplateResult {
  return html`<div class="reading">
    <h4>${title}</h4>
    <dl class="kv">
      <dt>content</dt>
      <dd><pg-content-value .text=${content} .length=${length}></pg-content-value></dd>
      <dt>toolCalls</dt>
      <dd>
        ${calls.length === 0 ? html`<code>[]</code>` : nothing}
        ${calls.map(
          ({ name, arguments: value, format }) =>
            html`<p class="mono">
              ${renderCut(name, 200)} ${jsonValue(value)}
              <span class="muted">${renderCut(format ?? t('native'), 200)}</span>
            </p>`,
        )}
        ${omittedCalls > 0 ? html`<p class="muted">${countOf(omittedCalls, t('and {0} more call'), t('and {0} more calls'))}</p>` : nothing}
      </dd>
      ${
        rejected.length === 0
          ? nothing
          : html`<dt>${t('left as text')}</dt>
              <dd>
                ${rejected.map(
                  ({ format, reason, detail }) =>
                    html`<p>
                      <code>${renderCut(reason, 200)}</code> ${renderCut(detail)}
                      <span class="muted">${renderCut(format, 200)}</span>
                    </p>`,
                )}
              </dd>`
      }
    </dl>
  </div>`;
}
