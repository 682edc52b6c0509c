// What a person should know about a format: its title and how to get it natively. Knows nothing of parsing.
import { RESCUE_FORMATS } from './formats/index';

export interface RescueFormatInfo {
  id: string;
  title: string;
  /** A sentence that names the server's own setting. */
  nativeHint?: string;
}

/** Undefined for an id that is not known. */
export function rescueFormatInfo(id: string): RescueFormatInfo | undefined {
  const format = RESCUE_FORMATS.find((item) => item.id === id);
  if (!format) return undefined;
  const { title, nativeHint } = format;
  return { id, title, ...(nativeHint !== undefined && { nativeHint }) };
}
