// A text that grows at its end and may be cut at its beginning. Only new text is added to the page, in blocks with
// a layout of their own. Hidden characters are drawn as boxes. Text nodes only.
import { toCharacterStart } from '../../text/format';
import type { TextMark } from '../../text/text-marks';
import { decidedEnd, markText } from '../../text/text-marks';

/** In characters; a block takes whole lines until it is longer than this. */
const BLOCK = 2_000;
/** In characters; a line that would make a block longer than this is split. */
const MAX_BLOCK = 6_000;

/** The last block: the number of characters it stands for, and whether they end with a line end. */
interface OpenBlock {
  element: HTMLElement;
  length: number;
  isLineEnd: boolean;
}

export class GrowingText extends HTMLElement {
  #text = '';
  /** Offset of the text within everything that was ever received, in characters. */
  #start = 0;
  /** Number of characters in the page. The last ones may be held back until the next ones tell what they are. */
  #drawn = 0;
  #open: OpenBlock | undefined;
  /** Number of characters that a box stands for. */
  readonly #boxed = new WeakMap<ChildNode, number>();

  /** The text that is shown. */
  get text(): string {
    return this.#text;
  }

  /** @param start Number of characters that came before `text`. */
  show(text: string, start: number): void {
    const removed = start - this.#start;
    const isGrown =
      removed >= 0 && removed <= this.#text.length && text.startsWith(this.#text.slice(removed));
    if (isGrown) {
      this.#cutStart(Math.min(removed, this.#drawn));
      this.#drawn = Math.max(0, this.#drawn - removed);
    } else {
      this.replaceChildren();
      this.#open = undefined;
      this.#drawn = 0;
    }
    this.#text = text;
    this.#start = start;
    this.#draw(Math.max(this.#drawn, decidedEnd(text)));
  }

  #draw(end: number): void {
    for (const part of markText(this.#text, this.#drawn, end)) {
      if (typeof part === 'string') this.#append(part);
      else this.#appendBox(part);
    }
    this.#drawn = end;
  }

  #append(added: string): void {
    let rest = added;
    while (rest !== '') {
      const block = this.#openBlock();
      const room = roomIn(rest, block.length);
      const piece = rest.slice(0, room);
      const last = block.element.lastChild;
      if (last instanceof Text) last.appendData(piece);
      else block.element.append(piece);
      block.length += room;
      block.isLineEnd = piece.endsWith('\n');
      rest = rest.slice(room);
    }
  }

  #appendBox({ character, code, name }: TextMark): void {
    const block = this.#openBlock();
    const box = document.createElement('span');
    box.className = 'mark-char';
    box.title = `${code}, ${name}`;
    box.textContent = code;
    this.#boxed.set(box, character.length);
    block.element.append(box);
    block.length += character.length;
    block.isLineEnd = false;
  }

  /** Returns the last block, or a new one if that is full. */
  #openBlock(): OpenBlock {
    const { length = MAX_BLOCK, isLineEnd = false } = this.#open ?? {};
    if (this.#open && length < MAX_BLOCK && !(length >= BLOCK && isLineEnd)) return this.#open;
    const element = document.createElement('span');
    element.className = 'pre';
    this.append(element);
    this.#open = { element, length: 0, isLineEnd: false };
    return this.#open;
  }

  #cutStart(count: number): void {
    let left = count;
    while (left > 0) {
      const block = this.firstElementChild;
      const node = block?.firstChild;
      if (!block || !node) return;
      const cut = Math.min(left, this.#lengthOf(node));
      this.#cutNode(node, cut);
      if (this.#open?.element === block) this.#open.length -= cut;
      if (!block.hasChildNodes()) this.#removeBlock(block);
      left -= cut;
    }
  }

  #cutNode(node: ChildNode, count: number): void {
    const length = this.#lengthOf(node);
    if (count === length) node.remove();
    else if (node instanceof Text) node.deleteData(0, count);
    else this.#boxed.set(node, length - count);
  }

  #lengthOf(node: ChildNode): number {
    return node instanceof Text ? node.length : (this.#boxed.get(node) ?? 0);
  }

  #removeBlock(block: Element): void {
    block.remove();
    if (this.#open?.element === block) this.#open = undefined;
  }
}

/** How much of `text` fits into a block of this length: up to the line end after which the block is full. */
function roomIn(text: string, length: number): number {
  const lineEnd = text.indexOf('\n', Math.max(0, BLOCK - length));
  const room = lineEnd < 0 ? text.length : lineEnd + 1;
  // A surrogate pair may exceed the limit by one, but is never split between two blocks.
  return toCharacterStart(text, Math.min(room, MAX_BLOCK - length)) || 2;
}
