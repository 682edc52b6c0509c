// Gives each piece of a streamed reply its `text`, the part that is no call. The reply is scanned as far as somebody asks
// for it. Knows no provider.
import type { ChatDelta, ChatTurn, ToolType } from '../../../types';
import { RescueScanner } from './rescue-scanner';

/** Its text is no property of its own: who copies a piece does not ask for it. */
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
  /** Of the first of them. */
  readonly #texts: string[] = [];
  #scanner: RescueScanner | undefined;

  /** @param tools None where no call is made of text: then all of it is text */
  constructor(tools: readonly ToolType[], onDelta: (delta: ChatDelta) => void) {
    this.#tools = tools;
    this.#onDelta = onDelta;
  }

  /** Hands the piece on. */
  readonly add = (delta: ChatDelta): void => {
    const { content = '' } = delta;
    if (content === '') return this.#onDelta(delta);
    const index = this.#contents.push(content) - 1;
    this.#onDelta(new TextDelta(delta, () => this.#readTo(index)));
  };

  /** What was held back and is no call, once more is known; nothing where nobody asked. */
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
