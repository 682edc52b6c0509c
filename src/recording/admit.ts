// Decides which requests a recording takes: those of programs that were given its address, and of no page in a browser. Pure.
import { t } from '@vscode/l10n';
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The path under which a recording answers, without a slash at its end. */
export const toRoot = (token: string): string => `/r/${token}`;

export interface Refusal {
  status: 403 | 404 | 501;
  /** For the program; '' where it is to learn nothing. */
  words: string;
}

/**
 * @returns the path and query to request from the server, exactly as the program wrote them; or why the request is refused.
 * Without the token nothing is said, not even that there is a recording.
 */
export function admit(
  { url = '', headers, rawHeaders }: Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>,
  token: string,
): string | Refusal {
  const path = pathUnder(toRoot(token), url);
  if (path === undefined) return { status: 404, words: '' };
  // Another name may lead here by a name server that an attacker has in hand (DNS rebinding).
  if (countFields('host', rawHeaders) !== 1 || !LOOPBACK.test(headers.host ?? ''))
    return {
      status: 403,
      words: t('A recording answers at 127.0.0.1 and localhost only. Use its address as it was given.'),
    };
  // Only pages send an origin. A page may only ask here if it came from here.
  const { origin, 'sec-fetch-site': site = 'none' } = headers;
  const isForeign = origin !== undefined && origin !== `http://${headers.host}`;
  // A picture, a frame or a link of a page has no origin, but browsers say that it is from elsewhere.
  if (isForeign || !OWN_SITES.has(site))
    return {
      status: 403,
      words: t('A recording does not answer pages in a browser. Send the request from a program.'),
    };
  // The field belongs to one connection, so the server would not learn how the body is encoded (RFC 9112, 6.1).
  const { 'transfer-encoding': encoding = CHUNKED } = headers;
  if (encoding.trim().toLowerCase() !== CHUNKED)
    return {
      status: 501,
      words: t(
        'A recording passes on no bodies with the transfer encoding {0}.',
        encoding.slice(0, MAX_QUOTED),
      ),
    };
  return path;
}

const CHUNKED = 'chunked';
/** In UTF-16 code units. */
const MAX_QUOTED = 80;

const OWN_SITES = new Set(['none', 'same-origin']);

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** @returns undefined for any other path */
function pathUnder(root: string, url: string): string | undefined {
  const start = Buffer.from(url.slice(0, root.length));
  const wanted = Buffer.from(root);
  if (start.length !== wanted.length || !timingSafeEqual(start, wanted)) return undefined;
  const rest = url.slice(root.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : undefined;
}

function countFields(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === name) count += 1;
  return count;
}
