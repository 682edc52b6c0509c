// Reads JSON objects of unknown content. Pure.
import { isRecord } from '../library';

/** @returns undefined when the text is not a JSON object */
export function parseRecord(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
