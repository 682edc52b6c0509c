// Reads a tuple or a set, as programs write them, where a list is expected. Independent of tags.
import { RepairLog } from '../core/repair-log';
import { TextSource } from '../core/rescue-context';
import { readPythonValue } from '../pythonic/python-reader';
import type { TypedValue } from '../schema/type-value';
import { skipWhite } from '../text/white-space';

/** Undefined for any other text, and where the schema allows text. */
export function readPythonList(text: string, types: readonly string[]): TypedValue | undefined {
  const at = skipWhite(text, 0);
  const isDue = types.includes('array') && !types.includes('string');
  if (!isDue || !'({'.includes(text.charAt(at) || ' ')) return undefined;
  const log = new RepairLog();
  const { value, end, failure } = readPythonValue(new TextSource(text), at, log);
  if (failure || skipWhite(text, end) < text.length || !Array.isArray(value)) return undefined;
  const isNoted = log.repairs.some(({ kind }) => kind === 'python-literal');
  return { value, repairs: isNoted ? log.repairs : [...log.repairs, { kind: 'python-literal', at }] };
}
