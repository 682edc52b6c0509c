// A request as a command of cURL, for bash and for PowerShell. Pure.
import type { CopyParts, Piece } from './copy-parts';
import { notesOf } from './copy-parts';

/** Linux takes no longer argument than 128 KiB; a longer body goes through a pipe. */
const MAX_ARGUMENT = 100_000;

export function toBashCurl(parts: CopyParts): string {
  const { method, url, headers, body, isCompressed } = parts;
  const isPiped = body.length > MAX_ARGUMENT;
  const lines = [
    `curl --no-buffer --silent --show-error --globoff${isCompressed ? ' --compressed' : ''} ${bashWord(url)}`,
    ...(hasImpliedMethod(parts) ? [] : [`--request ${bashWord([method])}`]),
    ...headers.map(({ name, value }) => `--header ${bashWord(headerLine(name, value))}`),
    ...(body === '' ? [] : [isPiped ? '--data-binary @-' : `--data-raw ${bashWord([body])}`]),
  ];
  const command = lines.join(' \\\n  ');
  // printf is no program of its own, so that its arguments are not limited
  return withNotes(parts, isPiped ? `printf %s ${bashWord([body])} | ${command}` : command);
}

/** In a file, so that no shell and no encoding of a pipe changes the body. */
export function toPowerShellCurl(parts: CopyParts): string {
  const { method, url, headers, body, isCompressed } = parts;
  const lines = [
    `curl.exe --no-buffer --silent --show-error --globoff${isCompressed ? ' --compressed' : ''} ${powerShellWord(url)}`,
    ...(hasImpliedMethod(parts) ? [] : [`--request ${powerShellWord([method])}`]),
    ...headers.map(({ name, value }) => `--header ${powerShellWord(headerLine(name, value))}`),
    ...(body === '' ? [] : ['--data-binary "@$body"']),
  ];
  const command = lines.join(' `\n  ');
  if (body === '') return withNotes(parts, command);
  return withNotes(
    parts,
    [
      '$body = [System.IO.Path]::GetTempFileName()',
      `[System.IO.File]::WriteAllText($body, ${powerShellWord([body])})`,
      command,
      'Remove-Item $body',
    ].join('\n'),
  );
}

const headerLine = (name: string, [first = '', ...rest]: readonly Piece[]): Piece[] =>
  typeof first === 'string' ? [`${name}: ${first}`, ...rest] : [`${name}: `, first, ...rest];

const hasImpliedMethod = ({ method, body }: CopyParts): boolean => method === (body === '' ? 'GET' : 'POST');

const withNotes = (parts: CopyParts, command: string): string =>
  [...notesOf(parts).map((note) => `# ${note}`), command, ''].join('\n');

/** In single quotes nothing means anything but the quote; what no terminal takes when it is pasted is written as an escape. */
function bashWord(pieces: readonly Piece[]): string {
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

/** What a terminal takes for a key: all but the line feed below the blank, and delete. */
const CONTROL = /[^\n\x20-\x7e\x80-\uffff]/;
const CONTROLS = new RegExp(CONTROL, 'g');

/** Typographic quotes end a text in single quotes as well; each is doubled. A variable stands in double quotes. */
function powerShellWord(pieces: readonly Piece[]): string {
  const texts = pieces.filter((piece) => piece !== '');
  if (texts.every((piece) => typeof piece === 'string')) {
    return `'${texts.join('').replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
  }
  const written = texts.map((piece) =>
    typeof piece === 'string' ? piece.replaceAll(/["`$\u201c-\u201e]/g, '`$&') : `$\{env:${piece.variable}}`,
  );
  return `"${written.join('')}"`;
}
