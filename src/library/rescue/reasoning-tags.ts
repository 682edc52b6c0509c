// The tags in which models think, and where a block of thinking ends. Pure data and two searches.
import { LiteralTrie } from './literal-trie';

export interface ReasoningTag {
  /** None: the tag only ends what stands before it. */
  open?: string;
  close: string;
  /** Written in any case: a rehearsal in `<Think>` is one as well. */
  isFolded?: boolean;
}

const NAMES = [
  'think',
  'thinking',
  'reasoning',
  'thought',
  'reasoning_scratchpad',
  'scratch_pad',
  'scratchpad',
  'seed:think',
  'mm:think',
  'ifm|think',
  'ifm|think_fast',
  'ifm|think_faster',
];

const TAGS: readonly ReasoningTag[] = [
  ...NAMES.map((name) => ({ open: `<${name}>`, close: `</${name}>`, isFolded: true })),
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<|START_THINKING|>', close: '<|END_THINKING|>' },
  { open: '<|thought_start|>', close: '<|thought_end|>' },
  { open: '<|channel>thought\n', close: '<channel|>' },
  { close: '[BEGIN FINAL RESPONSE]' },
];

export interface ReasoningTagMatch {
  tag: ReasoningTag;
  isOpen: boolean;
  literal: string;
}

/** All the tags, as they are written. */
export const REASONING_TAGS: readonly string[] = TAGS.flatMap(({ open, close }) =>
  open === undefined ? [close] : [open, close],
);

const TRIE = new LiteralTrie<ReasoningTagMatch>();
for (const tag of TAGS) {
  if (tag.open !== undefined) TRIE.add(tag.open, { tag, isOpen: true, literal: tag.open });
  TRIE.add(tag.close, { tag, isOpen: false, literal: tag.close });
}

/** The tag that stands at `at`. A name must end where the tag's does: `<thinker>` is none. */
export function findReasoningTag(text: string, at: number): ReasoningTagMatch | undefined {
  // no tag begins with its bracket twice, and a megabyte of brackets must cost little
  if (text.charCodeAt(at) === text.charCodeAt(at + 1)) return undefined;
  const matches = TRIE.matches(text, at);
  return matches.length > 0
    ? matches.find(({ literal, tag }) => tag.isFolded === true || text.startsWith(literal, at))
    : undefined;
}

/** Thinking that opened so often, and did not close. */
export interface OpenThinking {
  tag: ReasoningTag;
  depth: number;
}

/** What a text goes on from: no thinking, thinking that closed, or thinking that goes on. */
export type PriorThinking = 'none' | 'closed' | OpenThinking;

/** The first tag between the places that ends thinking of any kind; `to` when there is none. */
export function findAnyReasoningClose(text: string, from: number, to: number): number {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if ((code === 60 || code === 91) && findReasoningTag(text, at)?.isOpen === false) return at;
  }
  return to;
}

/** Where the thinking closes; -1 when it does not. */
export function findReasoningClose(text: string, from: number, { tag, depth }: OpenThinking): number {
  let open = depth;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const match = code === 60 || code === 91 ? findReasoningTag(text, at) : undefined;
    if (match?.tag === tag) open += match.isOpen ? 1 : -1;
    if (open === 0) return at;
  }
  return -1;
}

/** Finds closers; remembers them, so that many blocks cost one pass. */
export class ReasoningEnds {
  readonly #text: string;
  #folded: string | undefined;
  readonly #partners = new Map<ReasoningTag, ReadonlyMap<number, number>>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the closer of the block that opens at `at` stands; -1 when it never closes. */
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

/** In lower case, with every place where it was: a few letters become longer, and then ASCII has to do. */
function fold(text: string): string {
  const folded = text.toLowerCase();
  return folded.length === text.length ? folded : text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Blocks nest. An opener left over is one that was only mentioned: it ends where the block inside it does. */
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

export const STRIPPED_OPEN = 'analysis';
const STRIPPED_CLOSERS = ['assistantfinal', 'assistantcommentary'] as const;

/**
 * Thinking at the start of a reply of gpt-oss whose tokens the server took away: `analysis…assistantfinal…`. A call
 * keeps the words of its own header.
 */
export function findStrippedAnalysis(
  text: string,
): { start: number; end: number; bodyStart: number; bodyEnd: number } | undefined {
  const bodyStart = STRIPPED_OPEN.length;
  if (!text.startsWith(STRIPPED_OPEN)) return undefined;
  const [final, commentary] = STRIPPED_CLOSERS.map((closer) => text.indexOf(closer, bodyStart));
  const places = [final ?? -1, commentary ?? -1].filter((at) => at !== -1);
  if (places.length === 0) return undefined;
  const bodyEnd = Math.min(...places);
  const end = bodyEnd === final ? bodyEnd + STRIPPED_CLOSERS[0].length : bodyEnd;
  return { start: 0, end, bodyStart, bodyEnd };
}
