// Finds the tags around reasoning, and where a block of reasoning ends. The tags are passed in. Independent of calls.
import { LiteralTrie } from '../text/literal-trie';

export interface ReasoningTag {
  /** Absent for a tag that only ends the reasoning before it. */
  open?: string;
  close: string;
  /** Whether the tag matches in upper and lower case. */
  isFolded?: boolean;
  /** If this text directly follows the opener, the opener opens nothing. */
  notBefore?: string;
}

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

  /** Follows open reasoning from tag to tag: the state at `to`, or at its closer if that comes first. */
  follow(
    open: OpenReasoning,
    { text, from, to = text.length }: { text: string; from: number; to?: number },
  ): { state: ReasoningState; closer?: number } {
    let state: ReasoningState = open;
    for (let at = from; at < to; at += 1) {
      const match = this.#firsts.has(text.charCodeAt(at)) ? this.find(text, at) : undefined;
      if (match) state = passTag(state, match);
      if (state === 'closed') return { state, closer: at };
    }
    return { state };
  }
}

const isAt = (text: string, at: number, { literal, tag, isOpen }: ReasoningTagMatch): boolean =>
  (tag.isFolded === true || text.startsWith(literal, at)) &&
  !(isOpen && tag.notBefore !== undefined && text.startsWith(tag.notBefore, at + literal.length));

/** Pairs openers with closers, in one pass for each tag. */
export class ReasoningEnds {
  readonly #text: string;
  #folded: string | undefined;
  readonly #partners = new Map<ReasoningTag, ReadonlyMap<number, number>>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Offset of the closer of the block that opens at `at`; -1 when it is never closed. */
  find(tag: ReasoningTag, at: number): number {
    let partners = this.#partners.get(tag);
    if (!partners) {
      if (tag.isFolded) this.#folded ??= fold(this.#text);
      partners = matchAll(tag.isFolded ? (this.#folded ?? '') : this.#text, tag);
      this.#partners.set(tag, partners);
    }
    return partners.get(at) ?? -1;
  }
}

/** The text in lower case with unchanged offsets. If a letter gets longer in lower case, only ASCII is folded. */
function fold(text: string): string {
  const folded = text.toLowerCase();
  return folded.length === text.length ? folded : text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Offsets of closers by opener. Blocks nest. An opener without a closer of its own was only mentioned; it ends where the
 * last closed block ends.
 */
function matchAll(text: string, { open, close }: ReasoningTag): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  if (open === undefined) return partners;
  const stack: number[] = [];
  let opener = text.indexOf(open);
  let closer = text.indexOf(close);
  let last = -1;
  while (closer !== -1) {
    while (opener !== -1 && opener < closer) {
      stack.push(opener);
      opener = text.indexOf(open, opener + open.length);
    }
    const partner = stack.pop();
    if (partner !== undefined) {
      partners.set(partner, closer);
      last = closer;
    }
    closer = text.indexOf(close, closer + close.length);
  }
  for (const rest of stack) if (rest < last) partners.set(rest, last);
  return partners;
}

/** The reasoning at the start of a text whose special tokens were stripped; undefined while no words close it. */
export function findStrippedReasoning(
  text: string,
  forms: readonly StrippedReasoning[],
): { start: number; end: number; bodyStart: number; bodyEnd: number } | undefined {
  const form = forms.find(({ open }) => text.startsWith(open));
  if (!form) return undefined;
  const bodyStart = form.open.length;
  let found: { start: number; end: number; bodyStart: number; bodyEnd: number } | undefined;
  for (const { literal, isKept } of form.closers) {
    const bodyEnd = text.indexOf(literal, bodyStart);
    if (bodyEnd === -1 || (found && bodyEnd >= found.bodyEnd)) continue;
    found = { start: 0, end: isKept ? bodyEnd : bodyEnd + literal.length, bodyStart, bodyEnd };
  }
  return found;
}
