// Formats texts from others for the report: one line each, without effect in Markdown.
import { toLabel } from '../../inspect';

const LIMIT = 200;

/** Formats a name, an address or a word of a server as code. */
export const quote = (text: string, limit = LIMIT): string =>
  `\`${toLabel(text, limit).replaceAll('`', "'")}\``;

/** Escapes complete sentences that may contain such words. */
export const toSentence = (text: string, limit = 600): string =>
  toLabel(text, limit).replaceAll(/[<`]/g, '\\$&');

/** Error code of a network failure, such as `ECONNREFUSED`. */
export function codeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message);
}
