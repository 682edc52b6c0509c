// Foreign text in Markdown: it is shown, and nothing in it is markup. Pure.

/** In a fence that is longer than any in the text. */
export function fence(text: string, language = ''): string {
  const longest = Array.from(text.matchAll(/`+/g), ([run]) => run.length).reduce((a, b) => Math.max(a, b), 2);
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language === 'text' ? '' : language}\n${text}${text.endsWith('\n') ? '' : '\n'}${marks}`;
}

/** A short text in a line; of one that has nothing to show, a dash. */
export function codeSpan(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, 500);
  if (line === '') return '–';
  const longest = Array.from(line.matchAll(/`+/g), ([run]) => run.length).reduce((a, b) => Math.max(a, b), 0);
  const marks = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  // a table ends a cell at the line, in code as well
  return `${marks}${pad}${line.replaceAll('|', String.raw`\|`)}${pad}${marks}`;
}

/** Code; what a page would make a link or a call of a person of; and every sign that means something. */
const MARKED = /(?<!`)`[^`]+`(?!`)|(?:https?:\/\/|www\.)[^\s`]+|@[\w-]+|[\\`<>*_[\]#|~!&]/gi;

/** A sentence of ours with foreign words in it; text between backticks stays code, and addresses become code. */
export const plainLine = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 2_000)
    .replaceAll(MARKED, (found) => {
      if (found.length === 1) return `\\${found}`;
      return found.startsWith('`') ? found : `\`${found}\``;
    });
