// Gives each piece of a streamed reply its `text`, the part that is not a call. The reply is scanned only as far as `text`
// is read. Independent of providers.
import type { ChatDelta, ChatTurn, ToolType } from '../../../types';
import { RescueScanner } from './rescue-scanner';

/** `text` is a getter of the class and not an own property, so that copying a piece does not start the scan. */
class TextDelta implements ChatDelta {
  readonly content?: string | undefined;
  readonly #read: () => string;

  constructor(delta: ChatDelta, read: () => string) {
    Object.assign(this, delta);
    this.#read = read;
  }

  get text(): string {
    return this.#read();
  }
}

export class TextDeltas {
  readonly #tools: readonly ToolType[];
  readonly #onDelta: (delta: ChatDelta) => void;
  readonly #contents: string[] = [];
  /** The texts of the first pieces, as far as they were read. */
  readonly #texts: string[] = [];
  #scanner: RescueScanner | undefined;

  /** @param tools empty where no calls are made from text; then the whole reply is text */
  constructor(tools: readonly ToolType[], onDelta: (delta: ChatDelta) => void) {
    this.#tools = tools;
    this.#onDelta = onDelta;
  }

  /** Passes the piece on, with its `text`. */
  readonly add = (delta: ChatDelta): void => {
    const { content = '' } = delta;
    if (content === '') return this.#onDelta(delta);
    const index = this.#contents.push(content) - 1;
    this.#onDelta(new TextDelta(delta, () => this.#readTo(index)));
  };

  /** Returns the held text that turned out not to be a call; '' if no `text` was ever read. */
  finish({ raw, rescue }: Pick<ChatTurn, 'raw' | 'rescue'>): string {
    if (!this.#scanner) return '';
    this.#readTo(this.#contents.length - 1);
    const { finishReason } = raw;
    const report = rescue ?? { calls: [], content: raw.content, rejected: [] };
    const isWhole = this.#contents.join('') === raw.content;
    return this.#scanner.finish(isWhole ? { report } : { finishReason }).rest;
  }

  #readTo(index: number): string {
    this.#scanner ??= new RescueScanner(this.#tools);
    for (let next = this.#texts.length; next <= index; next += 1)
      this.#texts.push(this.#scanner.feed(this.#contents[next] ?? ''));
    return this.#texts[index] ?? '';
  }
}
