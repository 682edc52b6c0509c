// The prompt behind the template: what the server makes of a request, with its special tokens marked and its size in tokens.
// Asks only when a button is pressed. The text is the server's: text nodes only.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ErrorInfo, PromptPlace, PromptView } from '../../../src/protocol';
import { connectionOf } from '../../lanes/lane-queries';
import { countOf, formatCount } from '../../text/format';
import type { PanelState } from '../../state/panel-state';
import { icon } from '../../icons';
import { button, linkButton } from '../controls/controls';
import { renderMarked } from '../controls/marked-text';
import { prose } from '../controls/prose';
import { StoreElement } from '../controls/store-element';

/** Maximum number of marks; special tokens after them are drawn as plain text. */
const MAX_MARKS = 1_000;

export class RenderedPromptSection extends StoreElement {
  static override properties = {
    ...StoreElement.properties,
    laneId: { attribute: false as const },
    runId: { attribute: false as const },
  };
  declare laneId: string;
  /** The run whose request can be shown; without one, only what would be sent now. */
  declare runId: string | undefined;

  override render(): TemplateResult {
    const { laneId, runId } = this;
    const { prompt, session } = this.playground.state;
    const isMine =
      prompt?.place.laneId === laneId && (prompt.place.runId === undefined || prompt.place.runId === runId);
    const now = { laneId };
    return html`<section class="sec rendered-prompt">
      <h3>${t('The prompt behind the template')} <small>${t('what the model reads')}</small></h3>
      <p class="muted">
        ${
          connectionOf(session, laneId)?.rendersPrompts
            ? t('The server renders it with the chat template of the model. Nothing is generated.')
            : t(
                'This connection has no way to show it. Where its server counts tokens, their number is shown. Nothing is generated.',
              )
        }
      </p>
      <div class="actions">
        ${runId === undefined ? nothing : this.#renderButton(t('Show rendered prompt'), { laneId, runId })}
        ${this.#renderButton(runId === undefined ? t('Show rendered prompt') : t('Show what would be sent now'), now)}
      </div>
      ${isMine ? this.#renderPrompt(prompt) : nothing}
    </section>`;
  }

  protected override watched({ prompt, session }: PanelState): readonly unknown[] {
    return [prompt, session.environment, session.document?.document.lanes];
  }

  #renderButton(label: string, place: PromptPlace): unknown {
    return button({ label, onClick: () => void this.playground.prompts.ask(place) });
  }

  #renderPrompt({ place, view, error }: NonNullable<PanelState['prompt']>): unknown {
    if (error) return renderError(error);
    if (!view)
      return html`<p class="muted" role="status">
        ${t('Asking the server…')} ${linkButton(t('Cancel'), () => this.playground.prompts.cancel())}
      </p>`;
    const open = (): void => void this.playground.send('prompt/open', place);
    const heading = place.runId === undefined ? t('Of what would be sent now') : t('Of this request');
    if (view.isCountOnly) return renderCount(heading, view);
    return html`<h4>${heading}</h4>
      ${renderCounts(view)} ${renderMissing(view.missingTools)}
      <p class="muted">
        ${describeMarks(view)}
        ${linkButton(t('Open in an editor'), open, t('Open the rendered prompt in an editor'))}
      </p>
      ${renderText(view)}`;
  }
}

const renderCount = (heading: string, { tokens = 0 }: PromptView): TemplateResult =>
  html`<h4>${heading}</h4>
    <dl class="kv num">
      <dt>${t('prompt')}</dt>
      <dd>${countOf(tokens, t('{0} token'), t('{0} tokens'))}</dd>
    </dl>
    <p class="muted">${t('The server counts the tokens of a prompt, but does not show its text.')}</p>`;

function renderError({ what, why, next }: ErrorInfo): TemplateResult {
  const lines = [
    [t('what'), what],
    [t('why'), why],
    [t('next'), next],
  ].filter(([, text]) => text !== '');
  return html`<dl class="kv" role="alert">
    ${lines.map(
      ([term, text]) =>
        html`<dt>${term}</dt>
          <dd>${prose(text ?? '')}</dd>`,
    )}
  </dl>`;
}

function renderCounts({ tokens, contextLength }: PromptView): TemplateResult {
  const unknown = html`<span class="muted">${t('not reported')}</span>`;
  const share =
    tokens !== undefined && contextLength
      ? html`<span class="muted"
          >${t('{0} % of the context', ((tokens / contextLength) * 100).toFixed(1))}</span
        >`
      : nothing;
  return html`<dl class="kv num">
    <dt>${t('prompt')}</dt>
    <dd>${tokens === undefined ? unknown : countOf(tokens, t('{0} token'), t('{0} tokens'))} ${share}</dd>
    <dt>${t('context')}</dt>
    <dd>${contextLength === undefined ? unknown : t('{0} tokens loaded', formatCount(contextLength))}</dd>
  </dl>`;
}

function renderMissing(names: readonly string[]): unknown {
  if (names.length === 0) return nothing;
  const list = names.map((name) => `\`${name}\``).join(', ');
  return html`<p class="row">
    <span class="s-warning">${icon('warning')}</span
    ><span
      >${prose(
        t(
          'Not in the prompt: {0}. The model was not told of these tools: the template has no place for them, or the prompt was cut to the context.',
          list,
        ),
      )}</span
    >
  </p>`;
}

const describeMarks = ({ specialTokens, isFromTokenizer }: PromptView): string => {
  if (specialTokens.length === 0) return t('No special tokens were found.');
  return isFromTokenizer
    ? t('Special tokens are marked.')
    : t('Special tokens are marked by their form: this server does not name its tokens.');
};

function renderText({ head, tail, length, specialTokens }: PromptView): TemplateResult {
  const split = toSplitter(specialTokens);
  const omitted = length - head.length - tail.length;
  const rest =
    tail === ''
      ? nothing
      : html`<span class="rest"
            >${countOf(omitted, t('… {0} character is not shown here …'), t('… {0} characters are not shown here …'))}</span
          >${split(tail)}`;
  const label = t('Rendered prompt');
  return html`<pre class="prompt-text" tabindex="0" aria-label=${label}>${split(head)}${rest}</pre>`;
}

/** @returns a function that draws a text with these tokens as marks. */
function toSplitter(tokens: readonly string[]): (text: string) => unknown {
  if (tokens.length === 0) return (text) => renderMarked(text);
  const longestFirst = tokens.toSorted((one, other) => other.length - one.length);
  const pattern = longestFirst
    .map((token) => token.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .join('|');
  return (text) => {
    const parts = text.split(new RegExp(`(${pattern})`));
    const marked = parts.slice(0, 2 * MAX_MARKS);
    return html`${marked.map((part, index) =>
      index % 2 === 1 ? html`<mark>${renderMarked(part)}</mark>` : renderMarked(part),
    )}${renderMarked(parts.slice(marked.length).join(''))}`;
  };
}
