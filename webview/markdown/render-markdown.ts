// Draws the tokens of Markdown: only the elements in the table below, and texts as text nodes. Draws no HTML, loads no
// image, and opens no link: the text of a model must not lead anywhere.
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { MarkdownToken } from 'markdown-it';
import { renderMarked } from '../components/controls/marked-text';
import { renderCut } from '../components/controls/prose';

type Content = readonly unknown[];
type Draw = (content: Content, token: MarkdownToken) => TemplateResult;

/** In characters. */
const MAX_ADDRESS = 300;

const heading: Draw = (content) => html`<p class="heading"><b>${content}</b></p>`;

/** By the HTML element that Markdown means; what is not here is drawn as its content alone. */
const ELEMENTS: Readonly<Record<string, Draw>> = {
  a: (content, token) => html`<u>${content}</u>${renderAddress(token.attrGet('href'))}`,
  blockquote: (content) => html`<blockquote>${content}</blockquote>`,
  em: (content) => html`<em>${content}</em>`,
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  li: (content) => html`<li>${content}</li>`,
  ol: (content, token) =>
    html`<ol start=${token.attrGet('start') ?? nothing}>
      ${content}
    </ol>`,
  p: (content, { hidden }) => (hidden ? html`${content}` : html`<p>${content}</p>`),
  s: (content) => html`<s>${content}</s>`,
  strong: (content) => html`<b>${content}</b>`,
  table: (content) =>
    html`<table>
      ${content}
    </table>`,
  tbody: (content) =>
    html`<tbody>
      ${content}
    </tbody>`,
  td: (content) => html`<td>${content}</td>`,
  th: (content) => html`<th>${content}</th>`,
  thead: (content) =>
    html`<thead>
      ${content}
    </thead>`,
  tr: (content) =>
    html`<tr>
      ${content}
    </tr>`,
  ul: (content) =>
    html`<ul>
      ${content}
    </ul>`,
};

/** By type: tokens without others inside. */
const LEAVES: Readonly<Record<string, (token: MarkdownToken) => unknown>> = {
  code_block: ({ content }) => html`<pre class="raw">${renderMarked(content)}</pre>`,
  code_inline: ({ content }) => html`<code>${renderMarked(content)}</code>`,
  fence: ({ content }) => html`<pre class="raw">${renderMarked(content)}</pre>`,
  hardbreak: () => html`<br />`,
  hr: () => html`<hr />`,
  image: (token) => html`<u>${renderMarked(token.content)}</u>${renderAddress(token.attrGet('src'))}`,
  inline: ({ children }) => renderMarkdown(children ?? []),
  softbreak: () => ' ',
};

export function renderMarkdown(tokens: readonly MarkdownToken[]): Content {
  const open: { token?: MarkdownToken; content: unknown[] }[] = [{ content: [] }];
  for (const token of tokens) {
    if (token.nesting === 1) {
      open.push({ token, content: [] });
      continue;
    }
    const closed = token.nesting === -1 && open.length > 1 ? open.pop() : undefined;
    open
      .at(-1)
      ?.content.push(closed?.token ? renderElement(closed.token, closed.content) : renderLeaf(token));
  }
  return open[0]?.content ?? [];
}

const renderElement = (token: MarkdownToken, content: Content): unknown =>
  ELEMENTS[token.tag]?.(content, token) ?? content;

const renderLeaf = (token: MarkdownToken): unknown =>
  LEAVES[token.type]?.(token) ?? renderMarked(token.content);

const renderAddress = (address: string | null): unknown =>
  address ? html` <span class="muted">(${renderCut(address, MAX_ADDRESS)})</span>` : nothing;
