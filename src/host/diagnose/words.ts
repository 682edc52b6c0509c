// Texts of others in the report: one line each, and nothing that Markdown would draw. Knows no vscode.
import { toLabel } from '../visible-text';

const LIMIT = 200;

/** A name, an address, a word of a server. */
export const quote = (text: string, limit = LIMIT): string =>
  `\`${toLabel(text, limit).replaceAll('`', "'")}\``;

/** Whole sentences that may hold such words. */
export const toSentence = (text: string, limit = 600): string =>
  toLabel(text, limit).replaceAll(/[<`]/g, '\\$&');

/** Such as `1 model` and `4 models`, of texts that have `{0}` in the number's place. */
export const count = (number: number, one: string, many: string): string =>
  (number === 1 ? one : many).replace('{0}', String(number));

/** What the network calls a failure, such as `ECONNREFUSED`. */
export function codeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message);
}
