// Tracks the reasoning in held text from tag to tag, as the walk shows it. Parses no calls; independent of single formats.
import { Prefilter } from '../text/prefilter';
import type { ReasoningTagMatch } from '../regions/reasoning-tags';
import type { RegionSyntax, TaggedText } from '../regions/region-syntax';
import type { ReasoningReading } from '../core/rescue-format';
import { isOpenReasoning, passTag } from './stream-state';
import type { OpenStreamReasoning, StreamReasoning } from './stream-state';

interface Block {
  start: number;
  bodyStart: number;
  /** Infinity while nothing closes the block. */
  end: number;
}

interface TaggedBlock extends Block {
  open: OpenStreamReasoning;
}

export class HeldReasoning {
  /** Offsets of openers that nothing closes. */
  readonly unclosed: number[] = [];
  /** The first unclosed opener inside reasoning of another kind; the text's length when there is none. */
  innerAt: number;
  readonly #text: string;
  readonly #syntax: RegionSyntax;
  /** The block that began before the text. */
  readonly #before: TaggedBlock | undefined;
  readonly #tagged: TaggedBlock[] = [];
  /** Blocks that only a format can delimit. */
  readonly #told: Block[] = [];
  #begunAt = Infinity;

  constructor({ text, regions }: TaggedText, from: number, reasoning: StreamReasoning) {
    this.#syntax = regions;
    this.#text = text;
    this.innerAt = text.length;
    if (reasoning !== 'none') this.#begunAt = -1;
    if (isOpenReasoning(reasoning)) this.#before = this.#addBlock(from, from, reasoning);
  }

  /** Adds a block that a tag opens. `isClosed`: whether it is closed in the text so far. */
  open(at: number, { tag, literal }: ReasoningTagMatch, isClosed: boolean): void {
    this.#begunAt = Math.min(this.#begunAt, at);
    if (!isClosed) this.unclosed.push(at);
    const around = this.#tagged.at(-1);
    if (!around || at >= around.end)
      this.#addBlock(at, at + literal.length, { tag, depth: 1, isNested: false });
    else if (around.open.tag !== tag && !isClosed) this.innerAt = Math.min(this.innerAt, at);
  }

  /** Adds a block that a format delimits. `bodyStart` equals `at` in code or in a quote, where the block is only shown. */
  tell(at: number, bodyStart: number, { end, isOpen }: ReasoningReading): void {
    this.#begunAt = Math.min(this.#begunAt, at);
    if (bodyStart > at) this.#told.push({ start: at, bodyStart, end: isOpen ? Infinity : end });
  }

  /** Whether the reasoning from before the text contains another block of its kind. */
  get isNested(): boolean {
    if (!this.#before) return false;
    if (this.#before.open.isNested) return true;
    const { bodyStart, end, open } = this.#before;
    const reasoning = this.#pass(open, bodyStart, Math.min(end, this.#text.length));
    return isOpenReasoning(reasoning) && reasoning.isNested;
  }

  at(place: number): StreamReasoning {
    const block = this.#tagged.findLast(({ start }) => start < place) ?? this.#before;
    if (block && place < block.end) return this.#pass(block.open, block.bodyStart, place);
    return this.#begunAt < place ? 'closed' : 'none';
  }

  /** The opener of the block around an offset, if only a format can delimit that block. */
  openingAt(place: number): string | undefined {
    const block = this.#told.findLast(({ start }) => start < place);
    return block && place < block.end ? this.#text.slice(block.start, block.bodyStart) : undefined;
  }

  #addBlock(start: number, bodyStart: number, open: OpenStreamReasoning): TaggedBlock {
    const close = this.#syntax.reasoning.findClose(this.#text, bodyStart, open);
    const block = { start, bodyStart, end: close === -1 ? Infinity : close + open.tag.close.length, open };
    this.#tagged.push(block);
    return block;
  }

  #pass(reasoning: StreamReasoning, from: number, to: number): StreamReasoning {
    const search = new Prefilter(this.#text, this.#syntax.tags);
    let passed = reasoning;
    for (let at = search.next(from); at < to; at = search.next(at + 1)) {
      const match = this.#syntax.reasoning.find(this.#text, at);
      if (match) passed = passTag(passed, match);
    }
    return passed;
  }
}
