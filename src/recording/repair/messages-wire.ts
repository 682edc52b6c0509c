// Rewrites replies of the Messages protocol, whose content is a list of blocks. Pure.
import { isRecord } from '../../library';
import { isType } from './is-type';
import type { Fixes, JsonDocument, NewText, Part, RepairWire, ReturnedCall } from './repair-wire';

/** Servers of this protocol refuse other characters in an id. */
const toId = (id: string): string => id.replaceAll(/[^\w-]/g, '_');

const toBlock = ({ id, name, arguments: input }: ReturnedCall): JsonDocument => ({
  type: 'tool_use',
  id: toId(id),
  name,
  input,
});

/** Only a reply that ended by itself ends in its calls now. */
const toStop = (reason: unknown): unknown => (reason === 'end_turn' ? 'tool_use' : reason);

/** The reasons in the words of chat completions, as far as there are such. */
const FINISH_REASONS: ReadonlyMap<string, string> = new Map([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
]);

export class MessagesWire implements RepairWire {
  readonly ending = { type: 'message_stop' };
  /** The type of each block by its index. */
  readonly #types = new Map<unknown, unknown>();
  /** Index of the text that is left out. */
  #leftOut: unknown;

  read(document: JsonDocument): Part {
    const { type, index, content_block: block, delta } = document;
    if (type === 'ping') return { isKeepAlive: true };
    if (type === 'content_block_start') {
      this.#types.set(index, isRecord(block) ? block['type'] : undefined);
      return { isNative: isType(block, 'tool_use'), isTextStart: isType(block, 'text') && !block['text'] };
    }
    if (type === 'content_block_delta' && isType(delta, 'text_delta'))
      return typeof delta['text'] === 'string' ? { text: delta['text'] } : {};
    if (type === 'content_block_stop') return { isTextEnd: this.#types.get(index) === 'text' };
    if (type === 'error' || type === 'message_stop') return { isForeign: true };
    if (type !== 'message_delta' || !isRecord(delta)) return {};
    const { stop_reason: reason } = delta;
    // Some relays send the counts first, and the reason afterwards.
    if (typeof reason !== 'string') return {};
    return { isEnd: true, finishReason: FINISH_REASONS.get(reason) ?? reason };
  }

  withText(document: JsonDocument, text: string): JsonDocument | undefined {
    return text === '' ? undefined : { ...document, delta: { type: 'text_delta', text } };
  }

  toText(text: string, { index }: JsonDocument): JsonDocument {
    return { type: 'content_block_delta', index, delta: { type: 'text_delta', text } };
  }

  /** A service refuses an empty text in the next request. */
  leaveOut(opening: readonly JsonDocument[]): boolean {
    const [index] = opening.map((document) => document['index']);
    if (opening.length !== 1 || index !== this.#lastIndex()) return false;
    this.#types.delete(index);
    this.#leftOut = index;
    return true;
  }

  toCalls(calls: readonly ReturnedCall[]): JsonDocument[] {
    const first = this.#lastIndex() + 1;
    return calls.flatMap((call, at) => {
      const index = first + at;
      const json = JSON.stringify(call.arguments);
      return [
        { type: 'content_block_start', index, content_block: { ...toBlock(call), input: {} } },
        { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } },
        { type: 'content_block_stop', index },
      ];
    });
  }

  withEnd(document: JsonDocument): JsonDocument | undefined {
    const { type, index, delta } = document;
    if (type === 'content_block_stop' && this.#leftOut !== undefined && index === this.#leftOut)
      return undefined;
    if (type !== 'message_delta' || !isRecord(delta)) return document;
    return { ...document, delta: { ...delta, stop_reason: toStop(delta['stop_reason']) } };
  }

  rewrite(
    document: JsonDocument,
    { from, to }: NewText,
    calls: readonly ReturnedCall[],
  ): JsonDocument | undefined {
    const { content } = document;
    const blocks: unknown[] = Array.isArray(content) ? content : [];
    const texts = blocks.filter((block) => isType(block, 'text'));
    if (texts.length !== 1 || texts[0]?.['text'] !== from) return undefined;
    const kept = blocks
      .filter((block) => !(isType(block, 'text') && to === ''))
      .map((block) => (isType(block, 'text') ? { ...block, text: to } : block));
    const stop = toStop(document['stop_reason']);
    return { ...document, content: [...kept, ...calls.map(toBlock)], stop_reason: stop };
  }

  withArguments(documents: readonly JsonDocument[], fixes: Fixes): JsonDocument[] {
    const calls = new PatchedBlocks(fixes);
    return documents.map((document) => calls.patch(document));
  }

  #lastIndex(): number {
    return Math.max(-1, ...[...this.#types.keys()].map(Number));
  }
}

/** Follows the blocks of calls by their index. */
class PatchedBlocks {
  readonly #fixes: Fixes;
  #count = 0;
  /** The ids of open blocks, and where among the calls they are, by their index. */
  readonly #open = new Map<unknown, { id: unknown; at: number }>();
  readonly #written = new Set<number>();

  constructor(fixes: Fixes) {
    this.#fixes = fixes;
  }

  patch(document: JsonDocument): JsonDocument {
    const { type, index, content, content_block: block, delta } = document;
    if (Array.isArray(content))
      return { ...document, content: content.map((each) => this.#patchWhole(each)) };
    if (type === 'content_block_start' && isType(block, 'tool_use')) this.#begin(index, block['id']);
    if (type !== 'content_block_delta' || !isType(delta, 'input_json_delta')) return document;
    const { at = -1 } = this.#open.get(index) ?? {};
    if (!this.#fixes.has(at)) return document;
    // The first piece of a call gets all of its arguments.
    const json = this.#written.has(at) ? '' : JSON.stringify(this.#fixes.get(at));
    this.#written.add(at);
    return { ...document, delta: { ...delta, partial_json: json } };
  }

  /** Some relays repeat the start of a block. */
  #begin(index: unknown, id: unknown): void {
    if (this.#open.get(index)?.id !== id || !this.#open.has(index))
      this.#open.set(index, { id, at: this.#count++ });
  }

  #patchWhole(block: unknown): unknown {
    if (!isType(block, 'tool_use')) return block;
    const at = this.#count++;
    return this.#fixes.has(at) ? { ...block, input: this.#fixes.get(at) } : block;
  }
}
