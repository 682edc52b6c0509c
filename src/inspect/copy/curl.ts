// Prints a request as a cURL command, for bash and for PowerShell. Pure.
import { utf8Length } from '../wire/read-events';
import type { CopyParts, CopyPiece } from './copy-parts';
import { notesOf } from './copy-parts';

/** In bytes. Linux limits one argument to 128 KiB, so a longer body goes through a pipe. */
const MAX_ARGUMENT = 100_000;

export function toBashCurl(parts: CopyParts): string {
  const { method, url, body, isCompressed } = parts;
  const isPiped = utf8Length(body) > MAX_ARGUMENT;
  const lines = [
    `curl --no-buffer --silent --show-error --globoff${isCompressed ? ' --compressed' : ''} ${bashWord(url)}`,
    ...(hasImpliedMethod(parts) ? [] : [`--request ${bashWord([method])}`]),
    ...headerLines(parts).map((pieces) => `--header ${bashWord(pieces)}`),
    ...(body === '' ? [] : [isPiped ? '--data-binary @-' : `--data-raw ${bashWord([body])}`]),
  ];
  const command = lines.join(' \\\n  ');
  // printf is a builtin of the shell, so the limit does not apply to its arguments.
  return withNotes(parts, isPiped ? `printf %s ${bashWord([body])} | ${command}` : command);
}

/**
 * The body goes through a file, so that neither the shell nor the encoding of a pipe changes it. So do headers with a quote or
 * a backslash: Windows PowerShell passes those to programs unescaped, later versions escape them.
 */
export function toPowerShellCurl(parts: CopyParts): string {
  const { method, url, body, isCompressed } = parts;
  const headers = headerLines(parts);
  const filed = headers.filter(needsFile).map((pieces) => pieces.join(''));
  const files = [
    ...(filed.length === 0 ? [] : [{ name: '$headers', text: filed.join('\n'), option: '--header' }]),
    ...(body === '' ? [] : [{ name: '$body', text: body, option: '--data-binary' }]),
  ];
  const command = [
    `curl.exe --no-buffer --silent --show-error --globoff${isCompressed ? ' --compressed' : ''} ${powerShellWord(url)}`,
    ...(hasImpliedMethod(parts) ? [] : [`--request ${powerShellWord([method])}`]),
    ...headers.filter((pieces) => !needsFile(pieces)).map((pieces) => `--header ${powerShellWord(pieces)}`),
    ...files.map(({ name, option }) => `${option} "@${name}"`),
  ].join(' `\n  ');
  const lines = [
    ...files.flatMap(({ name, text }) => [
      `${name} = [System.IO.Path]::GetTempFileName()`,
      `[System.IO.File]::WriteAllText(${name}, ${powerShellWord([text])})`,
    ]),
    command,
    ...(files.length === 0 ? [] : [`Remove-Item ${files.map(({ name }) => name).join(', ')}`]),
  ];
  return withNotes(parts, lines.join('\n'));
}

const needsFile = (pieces: readonly CopyPiece[]): pieces is string[] =>
  pieces.every((piece) => typeof piece === 'string') && /["\\]/.test(pieces.join(''));

/** The headers as cURL takes them: `name;` sends one without a value, and `name:` removes one that cURL would add. */
function headerLines({ headers, body }: CopyParts): CopyPiece[][] {
  const hasType = headers.some(({ name }) => /^content-type$/i.test(name));
  return [
    ...headers.map(({ name, value }) => headerLine(name, value)),
    ...(body === '' || hasType ? [] : [['content-type:']]),
  ];
}

function headerLine(name: string, [first = '', ...rest]: readonly CopyPiece[]): CopyPiece[] {
  if (first === '' && rest.length === 0) return [`${name};`];
  return typeof first === 'string' ? [`${name}: ${first}`, ...rest] : [`${name}: `, first, ...rest];
}

const hasImpliedMethod = ({ method, body }: CopyParts): boolean => method === (body === '' ? 'GET' : 'POST');

const withNotes = (parts: CopyParts, command: string): string =>
  [...notesOf(parts).map((note) => `# ${note}`), command, ''].join('\n');

/** In single quotes only the quote is special. Control characters, which terminals do not accept on paste, are escaped. */
function bashWord(pieces: readonly CopyPiece[]): string {
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
function powerShellWord(pieces: readonly CopyPiece[]): string {
  const texts = pieces.filter((piece) => piece !== '');
  if (texts.every((piece) => typeof piece === 'string')) {
    return `'${texts.join('').replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
  }
  const written = texts.map((piece) =>
    typeof piece === 'string' ? piece.replaceAll(/["`$\u201c-\u201e]/g, '`$&') : `$\{env:${piece.variable}}`,
  );
  return `"${written.join('')}"`;
}
