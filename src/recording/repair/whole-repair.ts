// Repairs a reply that is one document. Does no I/O.
import { isRecord, parseJson } from '../../library';
import type { RepairedCall, RescuedCall } from '../../types';
import { isExact } from './exact';
import type { NativeOptions } from './native-repair';
import { repairNative } from './native-repair';
import { hasEnded } from './reply-end';
import type { ReplyRepair } from './reply-repair';
import { MAX_HELD_BYTES } from './reply-repair';
import type { JsonDocument } from './repair-wire';
import { findCalls, toChange, toReturned } from './returned-calls';

const WHITE_SPACE: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));
const [BRACE, MARK] = Buffer.from('{\uFEFF');

export class WholeRepair implements ReplyRepair {
  readonly #options: NativeOptions;
  readonly #changed: RepairedCall[] = [];
  readonly #held: Buffer[] = [];
  #heldBytes = 0;
  #isPassing = false;

  constructor(options: NativeOptions) {
    this.#options = options;
  }

  get changed(): readonly RepairedCall[] {
    return this.#changed;
  }

  get isTooLong(): boolean {
    return this.#heldBytes > MAX_HELD_BYTES;
  }

  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  push(chunk: Buffer): Buffer {
    if (this.#isPassing) return chunk;
    if (this.#held.length === 0) {
      const first = chunk.find((byte) => !WHITE_SPACE.has(byte));
      // Some servers keep the connection open with it.
      if (first === undefined) return chunk;
      // A stream, perhaps, under the wrong name.
      this.#isPassing = first !== BRACE && first !== MARK;
      if (this.#isPassing) return chunk;
    }
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    this.#isPassing = this.isTooLong;
    return this.#isPassing ? Buffer.concat(this.#held.splice(0)) : Buffer.alloc(0);
  }

  end(): Buffer {
    const body = Buffer.concat(this.#held.splice(0));
    const text = body.toString('utf8');
    const document = parseJson(text);
    const isKnown = !this.#isPassing && isRecord(document) && isExact(document);
    const rewritten = isKnown ? this.#rewrite(document) : undefined;
    return rewritten ? Buffer.from(JSON.stringify(rewritten)) : body;
  }

  /** @returns undefined when nothing is to be changed */
  #rewrite(document: JsonDocument): JsonDocument | undefined {
    const { tools, readReply, wire } = this.#options;
    const names = tools.map(({ name }) => name);
    const reply = readReply(JSON.stringify(document), names);
    if (reply.problem !== undefined) return undefined;
    const { content, toolCalls, finishReason } = reply.raw;
    if (toolCalls.length > 0) {
      const native = repairNative([document], this.#options, ([whole]) => JSON.stringify(whole));
      return this.#note(native?.documents[0], native?.repaired ?? [], 'arguments');
    }
    const calls = hasEnded(finishReason) ? findCalls(content, tools, finishReason).calls : [];
    if (calls.length === 0) return undefined;
    const newText = { from: content, to: cutSpans(content, calls) };
    return this.#note(wire.rewrite(document, newText, calls.map(toReturned)), calls, 'text');
  }

  #note(
    rewritten: JsonDocument | undefined,
    calls: readonly RescuedCall[],
    from: RepairedCall['from'],
  ): JsonDocument | undefined {
    if (rewritten) this.#changed.push(...calls.map((call) => toChange(call, from)));
    return rewritten;
  }
}

function cutSpans(text: string, spans: readonly { start: number; end: number }[]): string {
  let kept = '';
  let from = 0;
  for (const { start, end } of spans) {
    kept += text.slice(from, start);
    from = Math.max(from, end);
  }
  return (kept + text.slice(from)).trimEnd();
}
