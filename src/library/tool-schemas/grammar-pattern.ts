// Rewrites regular expressions for llama.cpp, which turns the patterns of a schema into rules of its own grammar. Source:
// https://github.com/ggml-org/llama.cpp/blob/master/common/json-schema-to-grammar.cpp. Pure.

/** What the grammar has instead of a class, between brackets. */
const CLASSES: Readonly<Record<string, string>> = { d: '0-9', w: 'A-Za-z0-9_', s: ' \\t\\r\\n' };
const CHARACTERS: Readonly<Record<string, string>> = { f: '\\x0C', v: '\\x0B', 0: '\\x00' };

/** Escapes that the grammar has itself; outside of brackets, a marker may be escaped as well. */
const KNOWN = /^[xuUtrn\\"[\]]$/;
const MARKER = /^[\^$.[\](){}|*+?]$/;

/**
 * Writes escapes that the grammar does not know in another way.
 * @returns the same text when it knows them all; undefined when one has no other form
 */
export function rewriteEscapes(pattern: string): string | undefined {
  let written = '';
  let isClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === '[') isClass = true;
    else if (character === ']') isClass = false;
    const escaped = character === '\\' ? pattern.charAt(++at) : '';
    const part = escaped === '' ? character : rewriteEscape(escaped, isClass);
    if (part === undefined) return undefined;
    written += part;
  }
  return written;
}

function rewriteEscape(escaped: string, isClass: boolean): string | undefined {
  if (KNOWN.test(escaped) || (!isClass && MARKER.test(escaped))) return `\\${escaped}`;
  const inClass = CLASSES[escaped];
  if (inClass !== undefined) return isClass ? inClass : `[${inClass}]`;
  const opposite = CLASSES[escaped.toLowerCase()];
  if (opposite !== undefined) return isClass ? undefined : `[^${opposite}]`;
  if (/[a-z0-9]/i.test(escaped)) return CHARACTERS[escaped];
  // Between brackets these two would mean something else without the backslash.
  if (isClass && escaped === '^') return '\\x5E';
  return isClass && escaped === '-' ? '\\x2D' : escaped;
}

/** Whether the converter accepts both ends of the pattern. */
export const isAnchored = (pattern: string): boolean => pattern.startsWith('^') && pattern.endsWith('$');

/** @returns a pattern from `^` to `$` with the same meaning; undefined when that cannot be written in this way */
export function anchorPattern(pattern: string): string | undefined {
  const markers = pattern.replaceAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, (text) => '_'.repeat(text.length));
  const [begins, ends] = [markers.startsWith('^'), markers.endsWith('$')];
  const from = begins ? 1 : 0;
  const to = pattern.length - (ends ? 1 : 0);
  const inner = markers.slice(from, to);
  const hasChoice = inner.includes('|');
  // An anchor inside, or one that belongs to a single choice, has no such form.
  if (inner === '' || /[\^$]/.test(inner) || (hasChoice && (begins || ends))) return undefined;
  const body = pattern.slice(from, to);
  return `${begins ? '^' : '^.*'}${hasChoice ? `(${body})` : body}${ends ? '$' : '.*$'}`;
}
