// Finds out whether a reply came from a cache, by the header in which the cache says so. Pure.
import type { RunWire } from '../run/record/wire-record';

/** Headers that say `HIT`: of Cloudflare AI Gateway, Portkey and Helicone. */
const CACHE_HEADERS = ['cf-aig-cache-status', 'x-portkey-cache-status', 'helicone-cache'];

/** @returns the header and its value; undefined when no cache says that it answered */
export function findCache(wires: Iterable<Pick<RunWire, 'header'>>): string | undefined {
  for (const wire of wires)
    for (const name of CACHE_HEADERS) {
      const value = wire.header(name);
      if (value?.toUpperCase() === 'HIT') return `${name}: ${value}`;
    }
  return undefined;
}
