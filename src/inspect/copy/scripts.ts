// Prints a request as a script: fetch for JavaScript, httpx for Python. Pure.
import type { CopyParts, CopyPiece } from './copy-parts';
import { bodyValue, notesOf } from './copy-parts';
import { printJs, quoteJs } from './print-js';

export function toFetch(parts: CopyParts): string {
  const { method, url, headers, body } = parts;
  const json = bodyValue(body);
  const written = json ? `JSON.stringify(${printJs(json.value, '  ')})` : quoteJs(body);
  return [
    ...notesOf(parts).map((note) => `// ${note}`),
    `const response = await fetch(${jsText(url)}, {`,
    `  method: ${quoteJs(method)},`,
    '  headers: {',
    ...headers.map(({ name, value }) => `    ${quoteJs(name)}: ${jsText(value)},`),
    '  },',
    ...(body === '' ? [] : [`  body: ${written},`]),
    '});',
    'console.log(response.status, await response.text());',
    '',
  ].join('\n');
}

export function toPython(parts: CopyParts): string {
  const { method, url, headers, body, variables } = parts;
  const json = bodyValue(body);
  const written = json ? `json=${printPython(json.value, '    ')}` : `content=${quotePython(body)}.encode()`;
  return [
    ...notesOf(parts).map((note) => `# ${note}`),
    ...(variables.length > 0 ? ['import os', ''] : []),
    'import httpx',
    '',
    'response = httpx.request(',
    `    ${quotePython(method)},`,
    `    ${pythonText(url)},`,
    '    headers={',
    ...headers.map(({ name, value }) => `        ${quotePython(name)}: ${pythonText(value)},`),
    '    },',
    ...(body === '' ? [] : [`    ${written},`]),
    '    timeout=None,',
    ')',
    'print(response.status_code)',
    'print(response.text)',
    '',
  ].join('\n');
}

/** Prints an expression that joins the texts and variables. */
export const jsText = (pieces: readonly CopyPiece[]): string =>
  pieces
    .filter((piece) => piece !== '')
    .map((piece) => (typeof piece === 'string' ? quoteJs(piece) : `process.env[${quoteJs(piece.variable)}]`))
    .join(' + ') || `''`;

export const pythonText = (pieces: readonly CopyPiece[]): string =>
  pieces
    .filter((piece) => piece !== '')
    .map((piece) =>
      typeof piece === 'string' ? quotePython(piece) : `os.environ[${quotePython(piece.variable)}]`,
    )
    .join(' + ') || '""';

/** JSON's escapes mean the same in Python; only a lone surrogate cannot be encoded there. */
export const quotePython = (text: string): string => JSON.stringify(text);

export function printPython(value: unknown, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quotePython(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const deeper = `${indent}    `;
  const entries = Array.isArray(value)
    ? value.map((inner) => `${deeper}${printPython(inner, deeper)},`)
    : Object.entries(value).map(
        ([key, inner]) => `${deeper}${quotePython(key)}: ${printPython(inner, deeper)},`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return entries.length === 0 ? `${open}${close}` : [open, ...entries, `${indent}${close}`].join('\n');
}
