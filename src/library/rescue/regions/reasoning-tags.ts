// Finds the tags around reasoning, and where a block of reasoning ends. The tags are passed in. Independent of calls.
import { LiteralTrie } from '../text/literal-trie';
import { findOrEnd } from '../text/white-space';

export interface ReasoningSpan {
  start: number;
  end: number;
  bodyStart: number;
  bodyEnd: number;
}

/** Reasoning that a format delimits. */
export interface DelimitedReasoning extends ReasoningSpan {
  /** Whether it is never closed. */
  isOpen?: boolean | undefined;
}

export interface ReasoningTag {
  /** Absent for a tag that only ends the reasoning before it. */
  open?: string;
  close: string;
  /** Whether the tag matches in upper and lower case. */
  isFolded?: boolean;
  /** If this text directly follows the opener, the opener opens nothing. */
  notBefore?: string;
}

/** Tags of the usual form: each of the names in angle brackets, in upper or lower case. */
export const toReasoningElements = (...names: readonly string[]): ReasoningTag[] =>
  names.map((name) => ({ open: `<${name}>`, close: `</${name}>`, isFolded: true }));

/** Reasoning at the very start of a reply whose special tokens the server stripped, so that only words delimit it. */
export interface StrippedReasoning {
  open: string;
  /** Whichever of these comes first ends the reasoning. `isKept`: whether the words belong to the text after it. */
  closers: readonly { literal: string; isKept?: boolean }[];
}

export interface ReasoningTagMatch {
  tag: ReasoningTag;
  isOpen: boolean;
  literal: string;
}

/** Open reasoning. */
export interface OpenReasoning {
  tag: ReasoningTag;
  /** The number of nested blocks that are open. */
  depth: number;
  /** Whether blocks are nested, so that only the end of the reply tells where they ended. */
  isNested: boolean;
}

/** The state at an offset: no reasoning yet, reasoning that was closed, or reasoning that is still open. */
export type ReasoningState = 'none' | 'closed' | OpenReasoning;

export const isOpenReasoning = (state: ReasoningState): state is OpenReasoning => typeof state === 'object';

/** The state after a tag. Several tags may share one closer, which closes each of them. */
export function passTag(state: ReasoningState, { tag, isOpen, literal }: ReasoningTagMatch): ReasoningState {
  if (!isOpenReasoning(state)) return isOpen ? { tag, depth: 1, isNested: false } : state;
  if (state.tag !== tag && state.tag.close !== literal) return state;
  const depth = state.depth + (isOpen ? 1 : -1);
  return depth === 0 ? 'closed' : { tag, depth, isNested: state.isNested || isOpen };
}

/** All known reasoning tags. */
export class ReasoningTags {
  /** The tags as they are written. */
  readonly literals: readonly string[];
  readonly #trie = new LiteralTrie<ReasoningTagMatch>();
  readonly #firsts: ReadonlySet<number>;
  readonly #bracketed: readonly string[];

  constructor(tags: readonly ReasoningTag[]) {
    for (const tag of tags) {
      if (tag.open !== undefined) this.#trie.add(tag.open, { tag, isOpen: true, literal: tag.open });
      this.#trie.add(tag.close, { tag, isOpen: false, literal: tag.close });
    }
    this.literals = tags.flatMap(({ open, close }) => (open === undefined ? [close] : [open, close]));
    this.#firsts = new Set(this.literals.map((literal) => literal.charCodeAt(0)));
    this.#bracketed = this.literals.filter((literal) => !/[>\s]$/.test(literal));
  }

  /** The reasoning tag at `at`. Only a whole tag matches, not one with a longer name. */
  find(text: string, at: number): ReasoningTagMatch | undefined {
    // No tag begins with two equal brackets, and a megabyte of brackets must cost little.
    if (text.charCodeAt(at) === text.charCodeAt(at + 1)) return undefined;
    const matches = this.#trie.matches(text, at);
    return matches.length > 0 ? matches.find((match) => isAt(text, at, match)) : undefined;
  }

  /** Whether a tag that is not in angle brackets ends at `end`. */
  isBracketedBefore(text: string, end: number): boolean {
    return this.#bracketed.some((tag) => text.endsWith(tag, end));
  }

  /** The first closing reasoning tag between the offsets; `to` when there is none. */
  findAnyClose(text: string, from: number, to: number): number {
    for (let at = from; at < to; at += 1)
      if (this.#firsts.has(text.charCodeAt(at)) && this.find(text, at)?.isOpen === false) return at;
    return to;
  }
}

const isAt = (text: string, at: number, { literal, tag, isOpen }: ReasoningTagMatch): boolean =>
  (tag.isFolded === true || text.startsWith(literal, at)) &&
  !(isOpen && tag.notBefore !== undefined && text.startsWith(tag.notBefore, at + literal.length));

/** Follows blocks of reasoning in one text from tag to tag. Blocks of one tag nest. */
export class ReasoningBlocks {
  readonly #text: string;
  #folded: string | undefined;
  /** By tag: the offset from which no closer follows. */
  readonly #unclosedFrom = new Map<ReasoningTag, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Offset of the closer of the block whose body begins at `from`; undefined when it is never closed. An opener without a closer
   * of its own was only mentioned; its block ends where the last closed block ends.
   */
  findEnd(tag: ReasoningTag, from: number): number | undefined {
    if (from >= (this.#unclosedFrom.get(tag) ?? Infinity)) return undefined;
    const { closer, last } = this.follow({ tag, depth: 1, isNested: false }, from);
    if (last === undefined) this.#unclosedFrom.set(tag, from);
    return closer ?? last;
  }

  /**
   * The state at `to`, or at the closer of the open reasoning if that comes first. `last` is the offset of the last closer
   * that was passed.
   */
  follow(
    { tag, depth, isNested }: OpenReasoning,
    from: number,
    to = this.#text.length,
  ): { state: ReasoningState; closer?: number; last?: number | undefined } {
    const { open = '', close } = tag;
    const text = tag.isFolded ? (this.#folded ??= fold(this.#text)) : this.#text;
    const findOpener = (at: number): number => (open === '' ? text.length : findOrEnd(text, open, at));
    const state = { tag, depth, isNested };
    let last: number | undefined;
    let opener = findOpener(from);
    for (
      let closer = findOrEnd(text, close, from);
      ;
      closer = findOrEnd(text, close, closer + close.length)
    ) {
      for (; opener < Math.min(closer, to); opener = findOpener(opener + open.length)) {
        state.depth += 1;
        state.isNested = true;
      }
      if (closer >= to) return { state, last };
      last = closer;
      state.depth -= 1;
      if (state.depth === 0) return { state: 'closed', closer, last };
    }
  }
}

/** The text in lower case with unchanged offsets. If a letter gets longer in lower case, only ASCII is folded. */
function fold(text: string): string {
  const folded = text.toLowerCase();
  return folded.length === text.length ? folded : text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The reasoning at the start of a text whose special tokens were stripped; undefined while no words close it. */
export function findStrippedReasoning(
  text: string,
  forms: readonly StrippedReasoning[],
): ReasoningSpan | undefined {
  const form = forms.find(({ open }) => text.startsWith(open));
  if (!form) return undefined;
  const bodyStart = form.open.length;
  let found: ReasoningSpan | undefined;
  for (const { literal, isKept } of form.closers) {
    const bodyEnd = text.indexOf(literal, bodyStart);
    if (bodyEnd === -1 || (found && bodyEnd >= found.bodyEnd)) continue;
    found = { start: 0, end: isKept ? bodyEnd : bodyEnd + literal.length, bodyStart, bodyEnd };
  }
  return found;
}
