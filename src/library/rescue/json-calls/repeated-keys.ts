// Finds arguments whose key was written twice: JSON silently uses the last value. Independent of formats.
import { isRecord } from '../../util/json';
import { readTolerant } from '../json/tolerant-reader';
import type { JsonReading, JsonRole } from '../core/json-reading';
import type { RescueContext } from '../core/rescue-context';
import type { SchemaIssue } from '../core/rescue-format';
import { toPath, WRITTEN_AGAIN } from '../schema/check-arguments';

interface Written {
  start: number;
  reading: JsonReading;
  role: JsonRole;
}

/** Undefined when there is none, which is nearly always the case. */
export function findRepeatedKeys(
  context: RescueContext,
  { start, reading, role }: Written,
  value: unknown,
): SchemaIssue[] | undefined {
  let { repeated } = reading;
  if (!repeated) {
    if (!isRecord(value) || !hasKeyTwice(context.text, start, reading.end, value)) return undefined;
    repeated = readTolerant(context, start, role).repeated;
  }
  if (!repeated || repeated.length === 0) return undefined;
  return [...new Set(repeated)].map((key) => ({ path: toPath(key), message: WRITTEN_AGAIN }));
}

/** Whether any key occurs twice. An occurrence may be in a value; only a second reading tells. */
function hasKeyTwice(text: string, start: number, end: number, value: Record<string, unknown>): boolean {
  const written = text.slice(start, end);
  return Object.keys(value).some((key) => {
    const quoted = `"${key}"`;
    const first = written.indexOf(quoted);
    return first !== -1 && written.includes(quoted, first + quoted.length);
  });
}
