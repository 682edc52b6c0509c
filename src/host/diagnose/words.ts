// Formats texts from others for the report: one line each, without effect in Markdown. Independent of vscode.
import { toLabel } from '../../inspect';

const LIMIT = 200;

/** Formats a name, an address or a word of a server as code. */
export const quote = (text: string, limit = LIMIT): string =>
  `\`${toLabel(text, limit).replaceAll('`', "'")}\``;

/** Escapes complete sentences that may contain such words. */
export const toSentence = (text: string, limit = 600): string =>
  toLabel(text, limit).replaceAll(/[<`]/g, '\\$&');

/** Count with its noun, such as `1 model` or `4 models`; `{0}` in the texts stands for the number. */
export const count = (number: number, one: string, many: string): string =>
  (number === 1 ? one : many).replace('{0}', String(number));

/** Error code of a network failure, such as `ECONNREFUSED`. */
export function codeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message);
}
