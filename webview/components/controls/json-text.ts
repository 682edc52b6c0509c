// Draws JSON as coloured text nodes. Independent of what the JSON means.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { headOf } from '../../text/format';
import { renderMarked } from './marked-text';

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null/gi;

/** @param json A JSON text; parts of it that are not valid JSON stay plain. */
export function jsonText(json: string): TemplateResult {
  const parts: unknown[] = [];
  let end = 0;
  for (const match of json.matchAll(TOKEN)) {
    const [token, quoted, colon] = match;
    parts.push(renderMarked(json, end, match.index));
    if (!quoted) parts.push(html`<span class="lit">${token}</span>`);
    else if (colon) parts.push(html`<span class="key">${renderMarked(quoted)}</span>${renderMarked(colon)}`);
    else parts.push(html`<span class="str">${renderMarked(quoted)}</span>`);
    end = match.index + token.length;
  }
  parts.push(renderMarked(json, end));
  return html`${parts}`;
}

/** One value as JSON in one line; the quotes tell strings from numbers. */
export function jsonValue(value: unknown, maxLength = 2000): TemplateResult {
  const json = JSON.stringify(value) ?? String(value);
  return jsonText(json.length > maxLength ? `${headOf(json, maxLength)}…` : json);
}
