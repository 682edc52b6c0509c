// Arguments whose key stands in their object twice: JSON takes the last one and says nothing. Knows no format.
import { isRecord } from '../../util/json';
import { readTolerant } from '../json/read-json';
import type { JsonReading, JsonRole } from '../core/json-reading';
import type { RescueContext } from '../core/rescue-context';
import type { SchemaIssue } from '../core/rescue-format';
import { toPath, WRITTEN_AGAIN } from '../schema/check-arguments';

interface Written {
  start: number;
  reading: JsonReading;
  role: JsonRole;
}

/** Undefined when there is none, as nearly always. */
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

/** It may also stand in a value, which only a closer look tells. */
function hasKeyTwice(text: string, start: number, end: number, value: Record<string, unknown>): boolean {
  const written = text.slice(start, end);
  return Object.keys(value).some((key) => {
    const quoted = `"${key}"`;
    const first = written.indexOf(quoted);
    return first !== -1 && written.includes(quoted, first + quoted.length);
  });
}
