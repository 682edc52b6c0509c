// Parses the words of a PowerShell script by its documentation (about_Quoting_Rules, about_Parsing), as far as
// copied commands need it, and says what a program gets of them on Windows; nothing is run.

const SINGLE = /['\u2018-\u201b]/;
const DOUBLE = /["\u201c-\u201e]/;

/** @returns the words of each statement. @param variables Values by name; `env:KEY` for environment variables. */
export function readPowerShell(script: string, variables: Readonly<Record<string, string>>): string[][] {
  const statements: string[][] = [[]];
  let word: string | undefined;
  const endWord = (): void => {
    if (word !== undefined) statements.at(-1)?.push(word);
    word = undefined;
  };
  for (let at = 0; at < script.length;) {
    const unit = script.charAt(at);
    if (unit === '#' && word === undefined) {
      at = endOfLine(script, at);
    } else if (SINGLE.test(unit) || DOUBLE.test(unit)) {
      const read = SINGLE.test(unit) ? readSingle(script, at + 1) : readDouble(script, at + 1, variables);
      word = (word ?? '') + read.text;
      at = read.end;
    } else if (unit === '`' && script[at + 1] === '\n') {
      endWord();
      at += 2;
    } else if (unit === '\n') {
      endWord();
      statements.push([]);
      at++;
    } else if (unit === ' ') {
      endWord();
      at++;
    } else {
      word = (word ?? '') + unit;
      at++;
    }
  }
  endWord();
  return statements.filter((words) => words.length > 0);
}

const endOfLine = (script: string, at: number): number => {
  const end = script.indexOf('\n', at);
  return end === -1 ? script.length : end;
};

/** Any single quote character ends the text; a doubled one stands for itself. */
function readSingle(script: string, start: number): { text: string; end: number } {
  let text = '';
  for (let at = start; at < script.length; at++) {
    const unit = script.charAt(at);
    if (!SINGLE.test(unit)) text += unit;
    else if (SINGLE.test(script.charAt(at + 1))) text += script.charAt(++at);
    else return { text, end: at + 1 };
  }
  throw new Error('A text in single quotes does not end.');
}

function readDouble(
  script: string,
  start: number,
  variables: Readonly<Record<string, string>>,
): { text: string; end: number } {
  let text = '';
  for (let at = start; at < script.length; at++) {
    const unit = script.charAt(at);
    if (DOUBLE.test(unit)) return { text, end: at + 1 };
    if (unit === '`') {
      text += script.charAt(++at);
    } else if (unit === '$') {
      const [found = '', braced, plain] = /^\$(?:\{([^}]+)\}|(\w+))/.exec(script.slice(at)) ?? [];
      const name = braced ?? plain ?? '';
      if (!Object.hasOwn(variables, name)) throw new Error(`There is no variable ${found}.`);
      text += variables[name];
      at += found.length - 1;
    } else text += unit;
  }
  throw new Error('A text in double quotes does not end.');
}

/**
 * What a program receives from Windows PowerShell 5.1: it joins the words to one command line, quotes those with white space,
 * and escapes nothing. The program divides the line by the rules of Microsoft's C runtime.
 */
export function passByWindowsPowerShell(words: readonly string[]): string[] {
  const line = words
    .filter((word) => word !== '')
    .map((word) => (hasBareSpace(word) ? `"${word}"` : word))
    .join(' ');
  const passed: string[] = [];
  let word = '';
  let isQuoted = false;
  for (let at = 0; at < line.length;) {
    const [found = '', slashes = '', quote = ''] = /^(\\*)("?)/.exec(line.slice(at)) ?? [];
    at += found.length;
    word += quote === '' ? slashes : slashes.slice(slashes.length / 2);
    if (quote !== '') {
      if (slashes.length % 2 === 1) word = `${word.slice(0, -1)}"`;
      else isQuoted = !isQuoted;
      continue;
    }
    const unit = line.charAt(at++);
    if (isQuoted || !/\s/.test(unit)) word += unit;
    else if (word !== '') passed.push(word);
    if (!isQuoted && /\s/.test(unit)) word = '';
  }
  return word === '' ? passed : [...passed, word];
}

/** Whether there is white space that is not between quotes already. */
function hasBareSpace(word: string): boolean {
  let isQuoted = false;
  return Array.from(word).some((unit, at) => {
    if (unit === '"' && word.charAt(at - 1) !== '\\') isQuoted = !isQuoted;
    return /\s/.test(unit) && !isQuoted;
  });
}
