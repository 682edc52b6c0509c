// Matrix of texts × texts: the cosine similarity of each pair as a number in a coloured cell. The number alone
// says everything; the colour only helps the eye.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { spellMarks } from '../../text/text-marks';
import { renderMarked } from '../controls/marked-text';

/** Number of shades for similarities from 0 to 1, and again for those below 0. */
const SHADES = 5;

type Matrix = readonly (readonly (number | null)[])[];

interface Pair {
  one: number;
  other: number;
  value: number;
}

export function renderSimilarity(labels: readonly string[], similarity: Matrix): TemplateResult {
  return html`<section class="sec">
    <h2>${t('Cosine similarity')}</h2>
    ${renderExtremes(similarity)}
    <div class="scroll" tabindex="0">
      <table class="heat num">
        <thead>
          <tr>
            <td></td>
            ${labels.map((label, index) => html`<th scope="col" title=${spellMarks(label)}>${index + 1}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${similarity.map(
            (row, index) =>
              html`<tr>
                <th scope="row">
                  <span class="clip label" title=${spellMarks(labels[index] ?? '')}
                    ><b>${index + 1}</b> ${renderMarked(labels[index] ?? '')}</span
                  >
                </th>
                ${row.map((value, column) => renderCell(value, index === column))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function renderCell(value: number | null, isSame: boolean): TemplateResult {
  if (value === null) return html`<td class="muted" title=${t('There is no similarity')}>–</td>`;
  return html`<td class=${isSame ? 'muted' : toShade(value)}>${formatSimilarity(value)}</td>`;
}

/** Names the most and the least similar pair, which is what most people look for. */
function renderExtremes(similarity: Matrix): unknown {
  const pairs = toPairs(similarity).toSorted((a, b) => b.value - a.value);
  const [most] = pairs;
  const least = pairs.at(-1);
  if (!most || !least || most === least) return nothing;
  return html`<p>${t('Most similar: {0}. Least similar: {1}.', describePair(most), describePair(least))}</p>`;
}

function toPairs(similarity: Matrix): Pair[] {
  return similarity.flatMap((row, one) =>
    row.flatMap((value, other) => (value === null || other <= one ? [] : [{ one, other, value }])),
  );
}

const describePair = ({ one, other, value }: Pair): string =>
  t('{0} and {1} ({2})', one + 1, other + 1, formatSimilarity(value));

/** Values closer to 1 than this differ from it only by rounding errors. */
const SAME = 1 - 1e-9;

/** Formats with two decimals. A pair that is nearly but not quite identical gets four and never becomes 1.00. */
function formatSimilarity(value: number): string {
  const rounded = value.toFixed(2);
  if (rounded === '-0.00') return '0.00';
  const isOne = /^-?1\.00$/.test(rounded);
  return isOne && Math.abs(value) < SAME ? (Math.trunc(value * 10_000) / 10_000).toFixed(4) : rounded;
}

function toShade(value: number): string {
  const shade = Math.min(SHADES, Math.ceil(Math.abs(value) * SHADES));
  if (shade === 0) return '';
  return value < 0 ? `heat-below-${shade}` : `heat-${shade}`;
}
