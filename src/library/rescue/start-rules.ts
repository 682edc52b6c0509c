// What calls may begin with, of all formats, as rules that a whole text can be searched by. Names no format.
import { LiteralTrie } from './literal-trie';
import { MarkRule } from './mark-search';
import type { Mark } from './mark-search';
import type { RescueFormat } from './rescue-format';

/** `literals`: where the walk stops as well as at the openers of the formats. */
export function toStartRules(formats: readonly RescueFormat[], literals: readonly string[]): MarkRule[] {
  const anchors = new Map<string, Mark[]>();
  for (const { firstCharacters = '', anchor = {} } of formats) {
    for (const first of firstCharacters) {
      const mark = typeof anchor === 'function' ? anchor(first) : anchor;
      anchors.set(first, [...(anchors.get(first) ?? []), mark]);
    }
  }
  const openers = [...literals, ...formats.flatMap((format) => format.openers)];
  const folded = [...new Set(openers.map((opener) => opener.toLowerCase()))];
  const firsts = new Set([...folded.map((opener) => opener.charAt(0)), ...anchors.keys()]);
  return [...firsts].map((first) => {
    const own = folded.filter((opener) => opener.startsWith(first));
    const bare = anchors.get(first) ?? [];
    const needle = bare.length === 0 ? findSharedSigns(own) : first;
    return new MarkRule(needle, own.length === 0 ? bare : [toMark(own, needle), ...bare]);
  });
}

function toMark(openers: readonly string[], needle: string): Mark {
  const trie = new LiteralTrie<true>();
  for (const opener of openers) trie.add(opener, true);
  // a fence begins at its first character
  const isFence = needle.startsWith('`') || needle.startsWith('~');
  const isInFence = (text: string, at: number): boolean =>
    isFence && text.charCodeAt(at - 1) === text.charCodeAt(at);
  // what is no longer is followed by anything
  const toSigns = (index: number): string | undefined =>
    openers.every(({ length }) => length > index)
      ? openers.map((opener) => opener.charAt(index)).join('')
      : undefined;
  return {
    after: toSigns(needle.length),
    second: toSigns(needle.length + 1),
    isAt: (text, at) => !isInFence(text, at) && trie.has(text, at),
  };
}

/** What all of them begin with, as far as it has no case. */
function findSharedSigns(openers: readonly string[]): string {
  const [first = ''] = openers;
  let length = 1;
  while (isShared(first.slice(0, length + 1), length + 1)) length += 1;
  return first.slice(0, length);

  function isShared(head: string, size: number): boolean {
    return head.length === size && !/[a-z]/.test(head) && openers.every((opener) => opener.startsWith(head));
  }
}
