// Splits a recorded request into the parts of a copy, with environment variables in place of masked secrets. Pure.
import { t } from '@vscode/l10n';
import type { ExchangeRequest } from '../../types';

/** A part of a text: literal text, or the value of an environment variable. */
export type CopyPiece = string | { variable: string };

export interface CopyParts {
  method: string;
  url: CopyPiece[];
  /** Without the headers that every client sets by itself. */
  headers: { name: string; value: CopyPiece[] }[];
  body: string;
  /** Whether the request accepted a compressed response. */
  isCompressed: boolean;
  /** Names of the variables, in the order of their first use. */
  variables: string[];
  /** Whether a secret in the body is masked, so that a copy does not send what was sent. */
  isBodyMasked: boolean;
}

const OWN_HEADERS = ['host', 'connection', 'content-length', 'accept-encoding', 'transfer-encoding'];
/** Headers that contain the key of the connection. A masked value of any other header gets a variable of its own. */
const KEY_HEADER = /^(authorization|x?-?api-?key)$/i;
/** A single `*` is a value of its own: Node sends `accept-language: *`. */
const MASKED = /^((?:Bearer|Basic) )?\*{2,}$/i;
const MASKED_PARAMETER = /([?&][^=&#]+=)\*+(?=&|#|$)/g;

/**
 * @param options.variable Name of the variable that contains the key.
 * @param options.keyHeaders Further headers that contain it.
 */
export function copyParts(
  request: ExchangeRequest,
  { variable, keyHeaders = [] }: { variable: string; keyHeaders?: readonly string[] | undefined },
): CopyParts {
  const hasKey = (name: string): boolean => KEY_HEADER.test(name) || keyHeaders.includes(name.toLowerCase());
  const entries = Object.entries(request.headers);
  const headers = entries
    .filter(([name]) => !OWN_HEADERS.includes(name.toLowerCase()))
    .map(([name, value]) => ({
      name,
      value: toHeaderValue(name, value, hasKey(name) ? variable : undefined),
    }));
  const url = toUrl(request.url, variable);
  const pieces = [...url, ...headers.flatMap(({ value }) => value)];
  const variables = pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.variable]));
  return {
    method: request.method,
    url,
    headers,
    body: request.body,
    isCompressed: entries.some(([name]) => name.toLowerCase() === 'accept-encoding'),
    variables: [...new Set(variables)],
    isBodyMasked: request.isBodyMasked === true,
  };
}

function toHeaderValue(name: string, value: string, variable: string | undefined): CopyPiece[] {
  const found = MASKED.exec(value);
  if (!found) return [value];
  const own = name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  return [found[1] ?? '', { variable: variable ?? own }];
}

function toUrl(url: string, variable: string): CopyPiece[] {
  const pieces: CopyPiece[] = [];
  let done = 0;
  for (const { 0: found, 1: name = '', index } of url.matchAll(MASKED_PARAMETER)) {
    pieces.push(url.slice(done, index + name.length), { variable });
    done = index + found.length;
  }
  pieces.push(url.slice(done));
  return pieces.filter((piece) => piece !== '');
}

/** The body as a JSON value, if printing that gives the same text; undefined: it has to be sent as text. */
export function bodyValue(body: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return JSON.stringify(value) === body ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** Notes for the reader of a copy; each line becomes a comment. */
export function notesOf({ variables, isBodyMasked }: CopyParts): string[] {
  const notes = variables.length > 0 ? [t('The code reads the key from {0}.', variables.join(', '))] : [];
  if (isBodyMasked) notes.push(t('A secret in the body was masked: what is sent differs there.'));
  return notes;
}
