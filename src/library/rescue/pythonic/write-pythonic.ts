// Writes calls as Python does. Independent of wrappers.
import type { WrittenCall } from '../core/rescue-format';
import { PYTHON_VALUES, writeJson } from '../json/write-json';

/** Writes `name(key="value")`, and `separator` between the calls. */
export const writePythonCalls = (calls: readonly WrittenCall[], separator: string): string =>
  calls.map(writePythonCall).join(separator);

function writePythonCall({ name, arguments: value }: WrittenCall): string {
  const keywords = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${key}=${writeJson(item, PYTHON_VALUES)}`);
  return `${name}(${keywords.join(', ')})`;
}
