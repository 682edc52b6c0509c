import { html, render } from 'lit';
import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '../../../../webview/markdown/parse-markdown';
import { renderMarkdown } from '../../../../webview/markdown/render-markdown';
import { hiddenIn, textOf } from '../draw';
import { HIDDEN, HOSTILE } from '../samples';

function draw(text: string): HTMLElement {
  const host = document.createElement('div');
  render(html`${renderMarkdown(parseMarkdown(text))}`, host);
  return host;
}

const tagsIn = (host: Element): string[] => [
  ...new Set([...host.querySelectorAll('*')].map(({ localName }) => localName)),
];

describe('renderMarkdown', () => {
  it('draws what Markdown means', () => {
    const host = draw(
      '# Oslo\n\nIt is **cold**, *very*.\n\n- one\n- two\n\n2. three\n\n> said\n\n```js\nlet a;\n```\n\n|a|b|\n|-|-|\n|1|2|\n\n---\n~~no~~ `yes`',
    );
    expect(tagsIn(host)).toEqual(
      expect.arrayContaining([
        'b',
        'em',
        'ul',
        'li',
        'ol',
        'blockquote',
        'pre',
        'code',
        'table',
        'td',
        'hr',
        's',
      ]),
    );
    expect(host.querySelector('ol')?.getAttribute('start')).toBe('2');
    expect(host.querySelector('pre')?.textContent).toBe('let a;\n');
    expect([...host.querySelectorAll('td')].map(textOf)).toEqual(['1', '2']);
    expect(textOf(host)).not.toContain('*');
  });

  it('shows HTML as text, and loads and opens nothing', () => {
    const host = draw(
      `${HOSTILE}\n\n${HOSTILE} in a line\n\n[click](https://evil.example/?q=1) ![chart](https://evil.example/i.png) <https://auto.example> [run](javascript:alert(1)) [data](data:text/html,x)`,
    );
    expect(host.querySelectorAll('a, img, script, iframe, style, [href], [src], [style]')).toHaveLength(0);
    expect(textOf(host)).toContain(HOSTILE);
    expect(textOf(host)).toContain('click (https://evil.example/?q=1)');
    expect(textOf(host)).toContain('chart (https://evil.example/i.png)');
    expect(textOf(host)).toContain('javascript:alert(1)');
  });

  it('makes hidden characters visible in every place', () => {
    const host = draw(`# ${HIDDEN}\n\n${HIDDEN} \`${HIDDEN}\` [a](/${HIDDEN})\n\n\`\`\`\n${HIDDEN}\n\`\`\``);
    expect(host.querySelectorAll('.mark-char').length).toBeGreaterThan(6);
    expect(hiddenIn(host)).toEqual([]);
  });

  it('keeps a table as text that would have more cells than there is time to draw', () => {
    const wide = `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n`;
    expect(draw(`${wide}|1|\n`).querySelectorAll('td')).toHaveLength(100);
    expect(draw(wide + '|\n'.repeat(1000)).querySelector('table')).toBeNull();
    expect(draw('|a|\n|-|\n|1|').querySelectorAll('td')).toHaveLength(1);
  });
});
