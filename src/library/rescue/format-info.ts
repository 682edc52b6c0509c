// What a person should know about a format: its title and how to get it natively. Knows nothing of parsing.
import { RESCUE_FORMATS } from './formats/index';

export interface RescueFormatInfo {
  id: string;
  title: string;
  /** A sentence that names the server's own setting. */
  nativeHint?: string;
}

/** All formats, in the order in which they are asked. */
export const rescueFormats = (): RescueFormatInfo[] => RESCUE_FORMATS.map(toInfo);

/** Undefined for an id that is not known. */
export function rescueFormatInfo(id: string): RescueFormatInfo | undefined {
  const format = RESCUE_FORMATS.find((item) => item.id === id);
  return format && toInfo(format);
}

const toInfo = ({ id, title, nativeHint }: (typeof RESCUE_FORMATS)[number]): RescueFormatInfo => ({
  id,
  title,
  ...(nativeHint !== undefined && { nativeHint }),
});
