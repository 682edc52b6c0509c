// A call as the Gemma dialects write it. Knows no wrapper.
import type { WrittenCall } from '../core/rescue-format';
import { isCallName, isKeyword } from '../pythonic/write-pythonic';

/** `call:name{key:<escape>text<escape>}`; undefined for a text that holds its own delimiter. */
export function writeGemmaCall(
  { name, arguments: value }: WrittenCall,
  delimiter: string,
): string | undefined {
  const body = isCallName(name) ? writeGemmaValue(value, delimiter) : undefined;
  return body === undefined ? undefined : `call:${name}${body}`;
}

/** @param value JSON-safe. */
function writeGemmaValue(value: unknown, delimiter: string): string | undefined {
  if (typeof value === 'string')
    return value.includes(delimiter) ? undefined : `${delimiter}${value}${delimiter}`;
  if (Array.isArray(value)) {
    const items = value.map((item) => writeGemmaValue(item, delimiter));
    return items.includes(undefined) ? undefined : `[${items.join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => {
      const written = isKeyword(key) ? writeGemmaValue(item, delimiter) : undefined;
      return written === undefined ? undefined : `${key}:${written}`;
    });
  return members.includes(undefined) ? undefined : `{${members.join(',')}}`;
}
