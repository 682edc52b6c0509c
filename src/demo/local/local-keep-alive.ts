// Reads `keep_alive` of the local protocol: how long a model stays loaded after a request. Pure.
import { WireError } from '../wire/wire-error';

const DEFAULT_MS = 5 * 60_000;
/** The longest duration in Go, about 292 years, which this server uses for "forever". */
const FOREVER_MS = 9_223_372_036_854;

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const DURATION = /^[-+]?(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+$|^[-+]?0$/;
const DURATION_PART = /(\d+(?:\.\d*)?)(ns|us|µs|ms|s|m|h)/g;

/**
 * In milliseconds. Accepts seconds as a number, or a Go duration such as `1h30m`; a negative value means forever. @default 5
 * minutes
 * @throws {WireError} 400 for anything else
 */
export function readKeepAlive(keepAlive: unknown): number {
  if (keepAlive === undefined || keepAlive === null) return DEFAULT_MS;
  if (typeof keepAlive === 'number') return toLimited(keepAlive * 1000);
  if (typeof keepAlive !== 'string') throw new WireError(400, `Unsupported type: '${goTypeOf(keepAlive)}'`);
  if (!DURATION.test(keepAlive)) {
    throw new WireError(400, `time: invalid duration ${JSON.stringify(keepAlive)}`);
  }
  const parts = [...keepAlive.matchAll(DURATION_PART)];
  const durationMs = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit ?? ''] ?? 0),
    0,
  );
  return toLimited(keepAlive.startsWith('-') ? -durationMs : durationMs);
}

function toLimited(durationMs: number): number {
  return durationMs < 0 ? FOREVER_MS : Math.min(durationMs, FOREVER_MS);
}

function goTypeOf(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}
