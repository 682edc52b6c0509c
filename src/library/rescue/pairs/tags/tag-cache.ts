// Keeps the tags of a dialect by their text: a reply has few different tags, each many times.
import type { Tag } from './tag';

const MAX_TAGS = 64;
/** In UTF-16 code units. */
const LONGEST_TAG = 80;
/**
 * In UTF-16 code units. A tag is a part of its text, which JavaScript keeps in memory as long as the part: the tags of a
 * longer text are dropped when the next text adds one.
 */
const LONGEST_KEPT = 65_536;

export class TagCache {
  /** By the text of a tag up to its first `>`. */
  readonly #tags = new Map<string, Tag>();
  /** The text that added a tag last. */
  #text = '';

  /** The tag at `at`, if one with the same text was added. */
  find(text: string, at: number): Tag | undefined {
    const limit = this.#tags.size === 0 ? at : Math.min(text.length, at + LONGEST_TAG);
    let last = at;
    // Character by character, because a search in a slice takes several times as long.
    while (last < limit && text.charCodeAt(last) !== 62) last += 1;
    const tag = last < limit ? this.#tags.get(text.slice(at, last + 1)) : undefined;
    if (!tag) return undefined;
    // No spread: tags come in several shapes, and copying such objects is slow.
    const { isCloser, isEmpty, space, name, role, label, style, attributes, damage } = tag;
    const end = last + 1;
    return { start: at, end, isCloser, isEmpty, space, name, role, label, style, attributes, damage };
  }

  add(text: string, tag: Tag): void {
    const written = text.slice(tag.start, tag.end);
    // A tag with a `>` in quotes cannot be recognised by its text up to the first `>`.
    if (written.length > LONGEST_TAG || written.indexOf('>') !== written.length - 1) return;
    if (text !== this.#text && this.#text.length > LONGEST_KEPT) this.#tags.clear();
    this.#text = text;
    if (this.#tags.size < MAX_TAGS) this.#tags.set(written, tag);
  }
}
