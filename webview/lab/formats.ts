// The other formats: the same calls written in one of them, the text read in each alone, and how to have a server
// parse it natively.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { FormatCount, LabFormat } from '../../src/protocol';
import { LAB_LIMIT } from '../../src/protocol';
import { button, linkButton } from '../components/controls/controls';
import { prose, renderCut } from '../components/controls/prose';
import { copyText } from '../text/copy-text';
import { formatCount } from '../text/format';
import { sentence } from '../text/sentence';
import { renderFormatChoice } from './choices';
import type { Lab } from './lab';
import { titleOf } from './lab-state';

const NOTHING = 'nothing';
const MAX_HINTS = 8;

/** Sorted by title, which begins with the name of the model family. */
const byFamily = (formats: readonly LabFormat[]): LabFormat[] =>
  formats.toSorted((one, other) => one.title.localeCompare(other.title, 'en'));

export function renderWritten(lab: Lab, replace: (text: string) => void): unknown {
  const { reading, document: kept, formats } = lab.state;
  if (!reading || reading.report.calls.length === 0) return nothing;
  return html`<section class="sec" aria-label=${t('Write the calls')}>
    <h2>${t('The same calls in another format')}</h2>
    ${renderFormatChoice({
      label: t('Write as'),
      previous: t('Write as the previous format'),
      next: t('Write as the next format'),
      none: { id: NOTHING, label: t('Choose a format') },
      value: kept.writeAs,
      formats: byFamily(formats),
      onChange: (writeAs) => lab.change({ writeAs }),
    })}
    ${reading.written ? renderText(lab, reading.written, replace) : nothing}
  </section>`;
}

function renderText(
  lab: Lab,
  written: { text: string } | { problem: string },
  replace: (text: string) => void,
): TemplateResult {
  if ('problem' in written)
    return html`<p role="status">
      ${sentence(t('This format cannot express the calls: {0}'), prose(written.problem))}
    </p>`;
  const { text } = written;
  const copy = (): void =>
    void copyText(text).then((isCopied) =>
      lab.notify(isCopied ? t('The calls were copied.') : t('The calls could not be copied.')),
    );
  return html`<pre
      class="raw"
      tabindex="0"
      aria-label=${t('The calls, written')}
    ><pg-long-text .text=${text}></pg-long-text></pre>
    <p class="row">
      ${button({ label: t('Copy'), name: t('Copy the calls'), onClick: copy })}
      ${button({ label: t('Read this text'), onClick: () => replace(text) })}
    </p>`;
}

export function renderCompared(lab: Lab): unknown {
  const { reading, counts } = lab.state;
  if (!reading) return nothing;
  if (reading.text.length > LAB_LIMIT.comparedText) {
    return html`<section class="sec">
      <h2>${t('Each format alone')}</h2>
      <p class="muted">
        ${t(
          'Each format alone is shown for texts of up to {0} characters. To read a longer text in one format, choose the format above.',
          formatCount(LAB_LIMIT.comparedText),
        )}
      </p>
    </section>`;
  }
  if (!counts || counts.length === 0) return nothing;
  return html`<section class="sec">
    <h2>${t('Each format alone')}</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">${t('Format')}</th>
          <th scope="col" class="r">${t('Calls')}</th>
          <th scope="col" class="r">${t('Left as text')}</th>
          <th scope="col"><span class="sr">${t('Read in this format')}</span></th>
        </tr>
      </thead>
      <tbody>
        ${counts.map((count) => renderCount(lab, count))}
      </tbody>
    </table>
  </section>`;
}

function renderCount(lab: Lab, { id, calls, rejected }: FormatCount): TemplateResult {
  const isChosen = lab.state.document.format === id;
  return html`<tr>
    <th scope="row" class="lab-name"><code>${id}</code> ${renderCut(titleOf(lab.state.formats, id), 200)}</th>
    <td class="r num">${formatCount(calls)}</td>
    <td class="r num">${formatCount(rejected)}</td>
    <td class="r">
      ${
        isChosen
          ? html`<span class="muted">${t('chosen')}</span>`
          : linkButton(t('Read'), () => lab.change({ format: id }), t('Read in {0} alone', id))
      }
    </td>
  </tr>`;
}

/** @param ids Ids of the formats that were found in the text. */
export function renderHints(formats: readonly LabFormat[], ids: readonly string[]): unknown {
  const hints = formats.filter(({ id, nativeHints }) => nativeHints.length > 0 && ids.includes(id));
  if (hints.length === 0) return nothing;
  return html`<section class="sec">
    <h2>${t('How to get native calls')}</h2>
    ${hints.slice(0, MAX_HINTS).map(
      ({ id, nativeHints }) =>
        html`<p><code>${id}</code></p>
          <ul>
            ${nativeHints.map(({ text }) => html`<li>${prose(text)}</li>`)}
          </ul>`,
    )}
  </section>`;
}
