// Prints a request as a cURL command, for bash and for PowerShell. Pure.
import { utf8Length } from '../wire/read-events';
import type { CopyParts, CopyPiece } from './copy-parts';
import { notesOf } from './copy-parts';
import { bashWord, powerShellWord } from './shell-words';

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
