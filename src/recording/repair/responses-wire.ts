// Rewrites replies of the Responses protocol, which repeats a text and the whole reply at their ends. Pure.
import { isRecord } from '../../library';
import { isType } from './is-type';
import type { JsonDocument, Part, RepairWire, ReturnedCall } from './repair-wire';

const toItem = ({ id, name, arguments: args }: ReturnedCall): JsonDocument => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: JSON.stringify(args),
  status: 'completed',
});

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const withPartText = (part: unknown, text: string): unknown =>
  isType(part, 'output_text') ? { ...part, text } : part;

const withItemText = (item: unknown, text: string): unknown =>
  isType(item, 'message')
    ? { ...item, content: listOf(item['content']).map((part) => withPartText(part, text)) }
    : item;

const toOutput = (output: unknown, text: string, calls: readonly ReturnedCall[]): unknown[] => [
  ...listOf(output)
    .filter((item) => !isType(item, 'function_call') && !(text === '' && isType(item, 'message')))
    .map((item) => withItemText(item, text)),
  ...calls.map(toItem),
];

const NATIVE = /^response\.function_call_arguments\./;
const END = /^response\.(?:completed|incomplete)$/;
const FAILED = /^(?:error|response\.failed)$/;

const isOfCall = ({ type, item }: JsonDocument): boolean =>
  NATIVE.test(String(type)) || (/output_item/.test(String(type)) && isType(item, 'function_call'));

export class ResponsesWire implements RepairWire {
  #nextIndex = 0;
  /** Number of documents that were added so far: those that follow have higher numbers. */
  #added = 0;

  read(document: JsonDocument): Part {
    const { type, delta, output_index: index } = document;
    const isNative = isOfCall(document);
    if (typeof index === 'number' && !isNative) this.#nextIndex = Math.max(this.#nextIndex, index + 1);
    if (FAILED.test(String(type))) return { isForeign: true };
    return {
      isNative,
      ...(type === 'response.output_text.delta' && typeof delta === 'string' && { text: delta }),
      isTextEnd: type === 'response.output_text.done',
      isEnd: END.test(String(type)),
      finishReason: type === 'response.incomplete' ? 'length' : undefined,
    };
  }

  renumber(document: JsonDocument): JsonDocument {
    const { sequence_number: sequence } = document;
    if (this.#added === 0 || typeof sequence !== 'number') return document;
    return { ...document, sequence_number: sequence + this.#added };
  }

  withText(document: JsonDocument, text: string): JsonDocument | undefined {
    return text === '' ? undefined : { ...document, delta: text };
  }

  toText(text: string, model: JsonDocument): JsonDocument {
    this.#added += 1;
    return this.renumber({ ...model, delta: text });
  }

  withoutCalls(document: JsonDocument): JsonDocument | undefined {
    return isOfCall(document) ? undefined : document;
  }

  toCalls(calls: readonly ReturnedCall[], { sequence_number: sequence }: JsonDocument): JsonDocument[] {
    const documents = calls.flatMap((call, at) => {
      const item = toItem(call);
      const place = { output_index: this.#nextIndex + at };
      const ofItem = { item_id: item['id'], ...place };
      const { name } = call;
      const written = item['arguments'];
      const begun = { ...item, arguments: '', status: 'in_progress' };
      return [
        { type: 'response.output_item.added', ...place, item: begun },
        { type: 'response.function_call_arguments.delta', ...ofItem, delta: written },
        { type: 'response.function_call_arguments.done', ...ofItem, name, arguments: written },
        { type: 'response.output_item.done', ...place, item },
      ];
    });
    const before = this.#added;
    this.#added += documents.length;
    // Not every server numbers its events.
    if (typeof sequence !== 'number') return documents;
    return documents.map((document, at) => ({ ...document, sequence_number: sequence + before + at }));
  }

  withEnd(given: JsonDocument, text: string, calls: readonly ReturnedCall[]): JsonDocument {
    const document = this.renumber(given);
    const { type, part, item, response } = document;
    if (type === 'response.output_text.done') return { ...document, text };
    if (type === 'response.content_part.done') return { ...document, part: withPartText(part, text) };
    if (type === 'response.output_item.done') return { ...document, item: withItemText(item, text) };
    if (!END.test(String(type)) || !isRecord(response)) return document;
    return { ...document, response: { ...response, output: toOutput(response['output'], text, calls) } };
  }

  rewrite(document: JsonDocument, text: string, calls: readonly ReturnedCall[]): JsonDocument | undefined {
    const { output } = document;
    const texts = listOf(output).flatMap((item) => (isType(item, 'message') ? listOf(item['content']) : []));
    return texts.length > 1 ? undefined : { ...document, output: toOutput(output, text, calls) };
  }
}
