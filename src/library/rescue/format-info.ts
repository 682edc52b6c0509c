// What people should know about a format: its title and how to get its calls natively. Independent of parsing.
import { RESCUE_FORMATS } from './formats/index';

/** What people should know about a format. */
export interface RescueFormatInfo {
  /** Stable id, such as `hermes-json`. */
  id: string;
  /** Name for people. */
  title: string;
  /** A sentence that names the server's own setting; absent when none is known. */
  nativeHint?: string;
}

/** Information about all formats, in the order in which they are tried. */
export const rescueFormats = (): RescueFormatInfo[] => RESCUE_FORMATS.map(toInfo);

/** Information about one format; undefined for an unknown id. */
export function rescueFormatInfo(id: string): RescueFormatInfo | undefined {
  const format = RESCUE_FORMATS.find((item) => item.id === id);
  return format && toInfo(format);
}

function toInfo({ id, title, vllmParser, nativeHint }: (typeof RESCUE_FORMATS)[number]): RescueFormatInfo {
  const vllmHint = `If the server is vLLM, start it with \`--tool-call-parser ${vllmParser}\` to get it natively.`;
  const hint = vllmParser === undefined ? nativeHint : vllmHint;
  return { id, title, ...(hint !== undefined && { nativeHint: hint }) };
}
