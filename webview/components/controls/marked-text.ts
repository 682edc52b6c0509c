// Draws text of a model with its hidden characters made visible. The page holds their marks instead of the
// characters, so they cannot affect its layout; the panel's copy buttons copy the original. Text nodes only.
import { html } from 'lit';
import { markText, spellParts } from '../../text/text-marks';

/**
 * Maximum number of boxed marks in one text. Later marks are spelled out as plain text, so that a text of hidden
 * characters alone stays fast to draw.
 */
const MAX_BOXES = 1000;

/**
 * Draws the text from `start` to `end`, neither of which may lie inside a character.
 *
 * @returns the text itself when there is nothing to mark.
 */
export function renderMarked(text: string, start = 0, end = text.length): unknown {
  const parts = markText(text, start, end);
  const [first] = parts;
  if (parts.length <= 1 && (first === undefined || typeof first === 'string')) return first ?? '';
  const boxed = parts.slice(0, 2 * MAX_BOXES);
  return html`${boxed.map((part) =>
    typeof part === 'string'
      ? part
      : html`<span class="mark-char" title="${part.code}, ${part.name}">${part.code}</span>`,
  )}${spellParts(parts.slice(boxed.length))}`;
}
