// Rewrites replies of the Messages protocol, whose content is a list of blocks. Pure.
import { isRecord } from '../../library';
import { isType } from './is-type';
import type { JsonDocument, Part, RepairWire, ReturnedCall } from './repair-wire';

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

export class MessagesWire implements RepairWire {
  /** The type of each block by its index. */
  readonly #types = new Map<unknown, unknown>();

  read(document: JsonDocument): Part {
    const { type, index, content_block: block, delta } = document;
    if (type === 'content_block_start') {
      this.#types.set(index, isRecord(block) ? block['type'] : undefined);
      return { isNative: isType(block, 'tool_use') };
    }
    if (type === 'content_block_delta' && isType(delta, 'text_delta'))
      return typeof delta['text'] === 'string' ? { text: delta['text'] } : {};
    if (type === 'content_block_stop') return { isTextEnd: this.#types.get(index) === 'text' };
    if (type === 'error') return { isForeign: true };
    if (type !== 'message_delta' || !isRecord(delta)) return {};
    return { isEnd: true, finishReason: delta['stop_reason'] === 'max_tokens' ? 'length' : undefined };
  }

  withText(document: JsonDocument, text: string): JsonDocument | undefined {
    return text === '' ? undefined : { ...document, delta: { type: 'text_delta', text } };
  }

  toText(text: string, { index }: JsonDocument): JsonDocument {
    return { type: 'content_block_delta', index, delta: { type: 'text_delta', text } };
  }

  withoutCalls(document: JsonDocument): JsonDocument | undefined {
    return this.#types.get(document['index']) === 'tool_use' ? undefined : document;
  }

  toCalls(calls: readonly ReturnedCall[]): JsonDocument[] {
    const kept = [...this.#types].filter(([, type]) => type !== 'tool_use').map(([index]) => Number(index));
    const first = Math.max(-1, ...kept) + 1;
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

  withEnd(document: JsonDocument): JsonDocument {
    const { type, delta } = document;
    if (type !== 'message_delta' || !isRecord(delta)) return document;
    return { ...document, delta: { ...delta, stop_reason: toStop(delta['stop_reason']) } };
  }

  rewrite(document: JsonDocument, text: string, calls: readonly ReturnedCall[]): JsonDocument | undefined {
    const { content } = document;
    const blocks: unknown[] = Array.isArray(content) ? content : [];
    if (blocks.filter((block) => isType(block, 'text')).length > 1) return undefined;
    const kept = blocks
      .filter((block) => !isType(block, 'tool_use') && !(isType(block, 'text') && text === ''))
      .map((block) => (isType(block, 'text') ? { ...block, text } : block));
    const stop = toStop(document['stop_reason']);
    return { ...document, content: [...kept, ...calls.map(toBlock)], stop_reason: stop };
  }
}
