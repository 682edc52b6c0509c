// The text of a model with its hidden characters made visible. They are not in the page themselves, so they change
// nothing there; a copy by our buttons has them. Text nodes only.
import { html } from 'lit';
import { markText, spellParts } from '../../text/text-marks';

/** Boxes of one text; the marks after them are only spelled out, so that a text of nothing else stays quick to draw. */
const MAX_BOXES = 1000;

/**
 * The part of the text from `start` to `end`, which are no places inside of a character.
 *
 * @returns the part itself when there is nothing to mark.
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
