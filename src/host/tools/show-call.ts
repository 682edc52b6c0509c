// How a call is shown to the user before it is made, and how its result is reported to the model. Independent of
// vscode.
import { t } from '@vscode/l10n';
import { toVisible, toVisibleLines } from '../../inspect';

const MAX_SHOWN = 2_000;
/** More lines would push the buttons out of a small screen. */
const MAX_LINES = 40;
const MAX_RESULT = 1_000_000;

/** Indented JSON with hidden characters spelled out; if it is truncated, the total length is stated. */
export function showArguments(args: object): string {
  const pretty = JSON.stringify(args, null, 2);
  const lines = pretty.slice(0, MAX_SHOWN).split('\n');
  const shown = toVisibleLines(lines.slice(0, MAX_LINES).join('\n'));
  const isWhole = pretty.length <= MAX_SHOWN && lines.length <= MAX_LINES;
  return isWhole
    ? shown
    : `${shown}\n…\n${t('This is only the beginning: the arguments have {0} characters.', pretty.length)}`;
}

/** Joins text parts, and describes other parts; at most 1,000,000 characters. */
export function describeResult(parts: readonly unknown[]): string {
  const texts: string[] = [];
  let length = 0;
  for (const part of parts) {
    const text = describePart(part);
    texts.push(text);
    length += text.length + 1;
    if (length > MAX_RESULT) break;
  }
  const result = texts.join('\n');
  if (result.length <= MAX_RESULT) return result;
  const cut = result.slice(0, MAX_RESULT).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut}\n[The result goes on; only its first ${MAX_RESULT} characters are kept.]`;
}

/** Parts are told apart by their shape, because newer editors have kinds unknown here. */
function describePart(part: unknown): string {
  if (typeof part !== 'object' || part === null) return '[a part of an unknown kind]';
  const { value, mimeType, data } = part as { value?: unknown; mimeType?: unknown; data?: unknown };
  if (typeof value === 'string') return value;
  if (typeof mimeType === 'string' && data instanceof Uint8Array) {
    return `[${toVisible(mimeType.slice(0, 100))}, ${data.byteLength} bytes]`;
  }
  return value === undefined
    ? '[a part of an unknown kind]'
    : '[a part that only the chat of the editor draws]';
}
