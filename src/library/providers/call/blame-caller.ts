// Tells whether an exception comes from what the caller passed, whose getters and proxies run code of the caller's own.
// Independent of protocols.
import { InvalidOptionsError, ProviderError } from '../../errors';
import { callSafely } from '../../util/call-safely';
import { describeThrown } from '../../util/thrown';

/** The options that a chat reads before it sends anything. */
const PARTS = [
  'signal',
  'onDelta',
  'onProgress',
  'onAttempt',
  'messages',
  'tools',
  'sampling',
  'body',
] as const;

/**
 * Reads all options once more, to find the one that throws.
 * @param raw The raw keys of the connection.
 * @returns an InvalidOptionsError that names its place, with the exception as the cause; the exception itself when all can
 * be read, or when it is an error of the library
 */
export function blameCaller(error: unknown, options: object, raw: unknown): unknown {
  if (error instanceof ProviderError) return error;
  const places = PARTS.map((part) => findUnreadable(options, part));
  const place = places.find((found) => found !== undefined) ?? findUnreadable({ raw }, 'raw');
  return place === undefined
    ? error
    : new InvalidOptionsError(place, `cannot be read: ${describeThrown(error)}`, error);
}

/** The member, or the first entry of it, that cannot be read. */
function findUnreadable(owner: object, name: string): string | undefined {
  if (isReadable(owner, name)) return undefined;
  const place = callSafely(() => {
    const value: object = Object(Reflect.get(owner, name));
    const key = Object.keys(value).find((inner) => !isReadable(value, inner));
    if (key === undefined) return name;
    return Array.isArray(value) ? `${name}[${key}]` : `${name}.${key}`;
  });
  return typeof place === 'string' ? place : name;
}

function isReadable(owner: object, name: string): boolean {
  try {
    readAll(Reflect.get(owner, name), new Set());
    return true;
  } catch {
    return false;
  }
}

function readAll(value: unknown, seen: Set<object>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  for (const key of Object.keys(value)) readAll(Reflect.get(value, key), seen);
}
