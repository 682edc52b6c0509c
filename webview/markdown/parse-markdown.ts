// Parses Markdown into tokens. A bundle of its own, because most people read replies as they were sent. Makes no HTML.
import MarkdownIt from 'markdown-it';
import type { MarkdownToken } from 'markdown-it';

/**
 * A short text can name more cells than there is time to draw, because missing ones are filled in. A text that may do so
 * keeps its tables as text.
 */
const MAX_CELLS = 6_000;

/** HTML in the text stays text, and an address in the text is no link. */
const parser = new MarkdownIt('default', { html: false, linkify: false, typographer: false });

export function parseMarkdown(text: string): readonly MarkdownToken[] {
  const lines = text.split('\n');
  const columns = lines.reduce((most, line) => Math.max(most, line.split('|').length), 0);
  parser[lines.length * columns > MAX_CELLS ? 'disable' : 'enable']('table');
  return parser.parse(text, {});
}
