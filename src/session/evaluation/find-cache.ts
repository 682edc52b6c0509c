// Finds out whether a reply came from a cache, by the header in which the cache says so. Pure.
import type { WireRecord } from '../run/record/wire-record';

/** Headers that say `HIT`: of Cloudflare AI Gateway, Portkey and Helicone. */
const CACHE_HEADERS = ['cf-aig-cache-status', 'x-portkey-cache-status', 'helicone-cache'];

/** @returns the header and its value; undefined when no cache says that it answered */
export function findCache(wires: readonly WireRecord[]): string | undefined {
  for (const { attempts } of wires) {
    const headers = attempts.at(-1)?.response?.headers ?? {};
    for (const name of CACHE_HEADERS) {
      const value = headers[name];
      if (typeof value === 'string' && value.toUpperCase() === 'HIT') return `${name}: ${value}`;
    }
  }
  return undefined;
}
