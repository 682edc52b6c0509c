// Reads the text of a part of a reply that was opened twice, as relays repeat events. Pure.
import { parseJson } from '../../util/json';

/**
 * The text without what was sent twice: after its second opening a part either goes on, or begins again.
 * @param text All pieces of the arguments of a call.
 * @param again Where the pieces after the second opening begin; undefined for a part that was opened once.
 */
export function withoutRepeat(text: string, again = 0): string {
  const rest = text.slice(again);
  const isRepeat = again > 0 && rest.startsWith(text.slice(0, again));
  return isRepeat && parseJson(text) === undefined ? rest : text;
}
