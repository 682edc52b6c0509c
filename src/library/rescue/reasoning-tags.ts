// The tags in which models think, and where a block of thinking ends. Pure data and two searches.
import { LiteralTrie } from './literal-trie';

interface ReasoningTag {
  /** None: the tag only ends what stands before it. */
  open?: string;
  close: string;
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
  ...NAMES.map((name) => ({ open: `<${name}>`, close: `</${name}>` })),
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

const TRIE = new LiteralTrie<ReasoningTagMatch>();
for (const tag of TAGS) {
  if (tag.open !== undefined) TRIE.add(tag.open, { tag, isOpen: true, literal: tag.open });
  TRIE.add(tag.close, { tag, isOpen: false, literal: tag.close });
}

/** The tag that stands at `at`, in its own case. A name must end where the tag's does: `<thinker>` is none. */
export function findReasoningTag(text: string, at: number): ReasoningTagMatch | undefined {
  // no tag begins with its bracket twice, and a megabyte of brackets must cost little
  if (text.charCodeAt(at) === text.charCodeAt(at + 1)) return undefined;
  const matches = TRIE.matches(text, at);
  return matches.length > 0 ? matches.find(({ literal }) => text.startsWith(literal, at)) : undefined;
}

/** Finds closers; remembers them, so that many blocks cost one pass. */
export class ReasoningEnds {
  readonly #text: string;
  readonly #partners = new Map<ReasoningTag, ReadonlyMap<number, number>>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the closer of the block that opens at `at` stands; -1 when it never closes. */
  find(tag: ReasoningTag, at: number): number {
    let partners = this.#partners.get(tag);
    if (!partners) {
      partners = matchAll(this.#text, tag);
      this.#partners.set(tag, partners);
    }
    return partners.get(at) ?? -1;
  }
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
