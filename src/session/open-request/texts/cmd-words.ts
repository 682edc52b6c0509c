// Splits a command of the Windows command prompt into words: first as the prompt reads it, then as a program reads its
// arguments. Executes nothing: `%NAME%` stays as it is written. Pure and linear.

export function cmdWords(text: string): string[] {
  return toArguments(withoutCarets(text.replaceAll('\r\n', '\n')));
}

/** A caret outside of quotes makes the next character literal; before the end of a line, it is the one after that. */
function withoutCarets(text: string): string {
  let line = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charAt(at);
    if (unit === '"') isQuoted = !isQuoted;
    if (unit === '^' && !isQuoted) {
      // What follows the end of the line is literal: a second one is an end of a line in the argument.
      const isEnd = text[at + 1] === '\n';
      const isLiteral = !isEnd || text[at + 2] === '\n';
      at += isEnd && isLiteral ? 2 : 1;
      if (isLiteral) line += text.charAt(at);
    } else if (unit === '\n' && !isQuoted) break;
    else line += unit;
  }
  return line;
}

/** The rules of Microsoft's C library. */
function toArguments(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const unit = line.charAt(at);
    if (unit === '\\') {
      const start = at;
      while (line[at + 1] === '\\') at++;
      const count = at + 1 - start;
      const isBeforeQuote = line[at + 1] === '"';
      word = (word ?? '') + '\\'.repeat(isBeforeQuote ? Math.floor(count / 2) : count);
      if (isBeforeQuote && count % 2 === 1) {
        word += '"';
        at++;
      }
    } else if (unit === '"') {
      word ??= '';
      if (isQuoted && line[at + 1] === '"') {
        word += '"';
        at++;
      } else isQuoted = !isQuoted;
    } else if (/\s/.test(unit) && !isQuoted) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + unit;
  }
  return word === undefined ? words : [...words, word];
}
