// A text that is markup wherever it is not escaped, and what a page or a Markdown renderer makes of an export.
import { Window } from 'happy-dom';

export const HOSTILE =
  '</pre></details><script>alert(1)</script><img src=x onerror=alert(2)>\n```\n````html\n[x](javascript:alert(3)) ![i](https://evil.example/p.png)\n| a | @everyone #1 https://evil.example www.evil.example';

export function parsePage(page: string) {
  const { DOMParser: Parser } = new Window();
  return new Parser().parseFromString(page, 'text/html');
}

/** What a Markdown renderer treats as markup: the text without fences, escapes and code spans. */
export const outsideOfCode = (text: string): string =>
  text
    .replaceAll(/^(`{3,})[^\n`]*\n[^]*?\n\1$/gm, '')
    .replaceAll(/\\[\\`<>*_[\]#|~!&]/g, '')
    .replaceAll(/(`+)(?!`)[^\n]*?[^`]\1(?!`)/g, '');
