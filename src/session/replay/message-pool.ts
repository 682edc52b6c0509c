// The messages of a recorded conversation, each stored once, and which of them a request had. Most requests have those of the
// one before and some more, so that whole lists would grow with the square of the conversation. Pure.
import type { MessageRange } from '../rows/message-picks';

export class MessagePool<Message extends object> {
  readonly messages: Message[] = [];
  /** Number of the first message with this content, by its content as JSON. */
  readonly #numbers = new Map<string, number>();
  /** The content of each message. */
  readonly #contents: string[] = [];

  /** @returns the numbers of the messages, which are equal for equal lists */
  add(list: readonly Message[]): MessageRange[] {
    const ranges: [number, number][] = [];
    for (const message of list) {
      const range = ranges.at(-1);
      const number = this.#find(message, range?.[1] ?? 0, ranges.length < 2 && (range?.[0] ?? 1) === 1);
      if (range && number === range[1] + 1) range[1] = number;
      else ranges.push([number, number]);
    }
    return ranges;
  }

  /** Whether it has all of these messages already, in this order. */
  holds(list: readonly Message[]): boolean {
    return list.every((message) => this.#numbers.has(JSON.stringify(message)));
  }

  /**
   * @param before Number of the message before it.
   * @param isWhole Whether the list has all messages so far: then it goes on with its own ones, even if they are equal to
   *   earlier ones, so that the conversation can be read in its order.
   */
  #find(message: Message, before: number, isWhole: boolean): number {
    const content = JSON.stringify(message);
    if (this.#contents[before] === content) return before + 1;
    const known = this.#numbers.get(content);
    if (known !== undefined && !(isWhole && before === this.messages.length)) return known;
    this.messages.push(message);
    this.#contents.push(content);
    const number = this.messages.length;
    if (known === undefined) this.#numbers.set(content, number);
    return number;
  }
}
