// Escapes foreign text for Markdown, so that it is shown and never interpreted. Pure.

/** In characters. Beyond it no language is named: an editor's preview would colour megabytes, which takes seconds. */
const MAX_COLOURED = 100_000;

/** A code block whose fence is longer than any run of backticks in the text. */
export function fence(text: string, language = ''): string {
  const longest = Array.from(text.matchAll(/`+/g), ([run]) => run.length).reduce((a, b) => Math.max(a, b), 2);
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language === 'text' || text.length > MAX_COLOURED ? '' : language}\n${text}${text.endsWith('\n') ? '' : '\n'}${marks}`;
}

/** A text in one line, since what follows an empty line is Markdown again wherever it stands. */
export const oneLine = (text: string, most = 500): string =>
  text.replaceAll(/\s+/g, ' ').trim().slice(0, most);

/** A short text as inline code; a dash when the text is blank. */
export function codeSpan(text: string): string {
  const line = oneLine(text);
  if (line === '') return '–';
  const longest = Array.from(line.matchAll(/`+/g), ([run]) => run.length).reduce((a, b) => Math.max(a, b), 0);
  const marks = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return `${marks}${pad}${line}${pad}${marks}`;
}

/**
 * Matches inline code; links and mentions, which a page would make active; and all characters with a meaning in Markdown.
 */
const MARKED = /(?<!`)`[^`]+`(?!`)|(?:https?:\/\/|www\.)[^\s`]+|@[\w-]+|[\\`<>*_[\]#|~!&]/gi;

/** A part of a line with foreign words. Text between backticks stays code; links and mentions become code. */
export const escapeMarkdown = (text: string): string =>
  text.replaceAll(MARKED, (found) => {
    if (found.length === 1) return `\\${found}`;
    return found.startsWith('`') ? found : `\`${found}\``;
  });

/** A sentence with foreign words. */
export const plainLine = (text: string): string => escapeMarkdown(oneLine(text, 2_000));
