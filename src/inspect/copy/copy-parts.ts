// A recorded request as the parts that somebody who sends it again writes down: what was masked is a variable. Pure.
import { t } from '@vscode/l10n';
import type { ExchangeRequest } from '../../types';

/** A text with the values of environment variables in it. */
export type Piece = string | { variable: string };

export interface CopyParts {
  method: string;
  url: Piece[];
  /** Without those that the client sets by itself. */
  headers: { name: string; value: Piece[] }[];
  body: string;
  /** Whether a compressed answer was asked for. */
  isCompressed: boolean;
  /** In the order of their first use. */
  variables: string[];
  /** Whether a secret stands in the body, masked: what is sent is then not what was sent. */
  isBodyMasked: boolean;
}

const OWN_HEADERS = ['host', 'connection', 'content-length', 'accept-encoding', 'transfer-encoding'];
/** Those that hold the key of the connection; any other has a variable of its own. */
const KEY_HEADER = /^(authorization|x?-?api-?key)$/i;
const MASKED = /^((?:Bearer|Basic) )?\*+$/i;
const MASKED_PARAMETER = /([?&][^=&#]+=)\*+(?=&|#|$)/g;

/** @param variable That of the key. */
export function copyParts(request: ExchangeRequest, variable: string): CopyParts {
  const entries = Object.entries(request.headers);
  const headers = entries
    .filter(([name]) => !OWN_HEADERS.includes(name.toLowerCase()))
    .map(([name, value]) => ({ name, value: toHeaderValue(name, value, variable) }));
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

function toHeaderValue(name: string, value: string, variable: string): Piece[] {
  const found = MASKED.exec(value);
  if (!found) return [value];
  const own = name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  return [found[1] ?? '', { variable: KEY_HEADER.test(name) ? variable : own }];
}

function toUrl(url: string, variable: string): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const { 0: found, 1: name = '', index } of url.matchAll(MASKED_PARAMETER)) {
    pieces.push(url.slice(done, index + name.length), { variable });
    done = index + found.length;
  }
  pieces.push(url.slice(done));
  return pieces.filter((piece) => piece !== '');
}

/** The body as a value, when it is written the same way again; else it is to be sent as text. */
export function bodyValue(body: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return JSON.stringify(value) === body ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** What a copied text says of itself; each line is a comment. */
export function notesOf({ variables, isBodyMasked }: CopyParts): string[] {
  const notes = variables.length > 0 ? [t('Reads the key from {0}.', variables.join(', '))] : [];
  if (isBodyMasked) notes.push(t('A secret in the body was masked: what is sent differs there.'));
  return notes;
}
