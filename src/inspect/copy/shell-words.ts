// Writes words and whole commands for the shells of a terminal. Pure.
import type { CopyPiece } from './copy-parts';

/** bash stands for zsh and fish as well: what is written for it means the same in them. */
export type Shell = 'bash' | 'powershell' | 'cmd';

/** @param path Program of the shell; '' where it is not known. */
export function shellOf(path: string, isWindows: boolean): Shell {
  const name = /([^\\/]*?)(\.exe)?$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  if (name === 'pwsh' || name === 'powershell') return 'powershell';
  if (name === 'cmd') return 'cmd';
  return name === '' && isWindows ? 'powershell' : 'bash';
}

export interface ShellCommand {
  /** The program and its arguments. */
  words: readonly string[];
  /** Variables of its environment. cmd and PowerShell keep them until the terminal is closed. */
  variables?: readonly { name: string; value: readonly CopyPiece[] }[];
}

/** One line. */
export function printCommand(shell: Shell, { words, variables = [] }: ShellCommand): string {
  const line = words.map((word) => plainOr(shell === 'bash' ? word : onOneLine(word), shell)).join(' ');
  if (shell === 'cmd')
    return [...variables.map(({ name, value }) => `set "${name}=${cmdText(value)}"`), line].join(' && ');
  if (shell === 'bash')
    return [...variables.map(({ name, value }) => `${name}=${bashWord(value)}`), line].join(' ');
  const assigned = variables.map(({ name, value }) => `$env:${name} = ${powerShellWord(value)}`);
  // A quoted program is a text unless it is called.
  return [...assigned, line.startsWith("'") ? `& ${line}` : line].join('; ');
}

const WORDS: Readonly<Record<Shell, (pieces: readonly CopyPiece[]) => string>> = {
  bash: bashWord,
  powershell: powerShellWord,
  cmd: cmdWord,
};

const plainOr = (word: string, shell: Shell): string =>
  /^[\w./:-]+$/.test(word) ? word : WORDS[shell]([word]) || `''`;

/** Only bash can write a character that a terminal would treat as a key. */
const onOneLine = (word: string): string => word.replaceAll(CONTROLS, ' ').replaceAll('\n', ' ');

/** In single quotes only the quote is special. Control characters, which terminals do not accept on paste, are escaped. */
export function bashWord(pieces: readonly CopyPiece[]): string {
  return pieces
    .filter((piece) => piece !== '')
    .map((piece) => (typeof piece === 'string' ? bashText(piece) : `"$${piece.variable}"`))
    .join('');
}

function bashText(text: string): string {
  if (!CONTROL.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text
    .replaceAll(/[\\']/g, String.raw`\$&`)
    .replaceAll(CONTROLS, (unit) => String.raw`\x${unit.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `$'${escaped}'`;
}

/** Characters that a terminal treats as keys: control characters other than the line feed, and delete. */
const CONTROL = /[^\n\x20-\x7e\x80-\uffff]/;
const CONTROLS = new RegExp(CONTROL, 'g');

/**
 * Typographic quotes end a single-quoted text too, so all quotes are doubled. With a variable, the text is double-quoted.
 */
export function powerShellWord(pieces: readonly CopyPiece[]): string {
  const texts = pieces.filter((piece) => piece !== '');
  if (texts.every((piece) => typeof piece === 'string')) {
    return `'${texts.join('').replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
  }
  const written = texts.map((piece) =>
    typeof piece === 'string' ? piece.replaceAll(/["`$\u201c-\u201e]/g, '`$&') : `$\{env:${piece.variable}}`,
  );
  return `"${written.join('')}"`;
}

const cmdText = (pieces: readonly CopyPiece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : `%${piece.variable}%`)).join('');

/**
 * A program reads `\"` as a quote and doubles backslashes before one; cmd does not know that, so where a text has a quote or a
 * percent sign, everything that is special to cmd is escaped.
 */
function cmdWord(pieces: readonly CopyPiece[]): string {
  const text = cmdText(pieces);
  const quoted = `"${text.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`;
  return /["%!]/.test(text) ? quoted.replaceAll(/[()%!^"<>&|]/g, '^$&') : quoted;
}
