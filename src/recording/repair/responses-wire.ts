// Rewrites replies of the Responses protocol, which repeats a text and the whole reply at their ends. Pure.
import { isRecord } from '../../library';
import { isType } from './is-type';
import type { Fixes, JsonDocument, NewText, Part, RepairWire, ReturnedCall } from './repair-wire';

const toItem = ({ id, name, arguments: args }: ReturnedCall): JsonDocument => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: JSON.stringify(args),
  status: 'completed',
});

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const partsIn = (item: unknown): unknown[] => (isType(item, 'message') ? listOf(item['content']) : []);

const withPartText = (part: unknown, text: string): unknown =>
  isType(part, 'output_text') ? { ...part, text } : part;

const withItemText = (item: unknown, text: string): unknown =>
  isType(item, 'message')
    ? { ...item, content: partsIn(item).map((part) => withPartText(part, text)) }
    : item;

/** A message without its text is left out if it has no other part. */
const isOnlyText = (item: unknown): boolean =>
  isType(item, 'message') && partsIn(item).every((part) => isType(part, 'output_text'));

const toOutput = (output: unknown, text: string, calls: readonly ReturnedCall[]): unknown[] => [
  ...listOf(output)
    .filter((item) => text !== '' || !isOnlyText(item))
    .map((item) => withItemText(item, text)),
  ...calls.map(toItem),
];

const NATIVE = /^response\.function_call_arguments\./;
const END = /^response\.(?:completed|incomplete)$/;
const FAILED = /^(?:error|response\.(?:failed|cancelled))$/;
const OPENING = /^response\.(?:output_item|content_part)\.added$/;
const CLOSING = /^response\.(?:output_text|content_part|output_item)\.done$/;

const isOfCall = ({ type, item }: JsonDocument): boolean =>
  NATIVE.test(String(type)) || (/output_item/.test(String(type)) && isType(item, 'function_call'));

const isOpening = ({ type, item, part }: JsonDocument): boolean =>
  OPENING.test(String(type)) &&
  (isType(item, 'message') ? partsIn(item).length === 0 : isType(part, 'output_text') && !part['text']);

/** Why a reply ended, in the words of chat completions. */
function findReason(type: unknown, response: unknown): string | undefined {
  if (type !== 'response.incomplete') return undefined;
  const { incomplete_details: details } = isRecord(response) ? response : {};
  const reason = isRecord(details) ? details['reason'] : undefined;
  return typeof reason === 'string' ? reason : 'length';
}

export class ResponsesWire implements RepairWire {
  #nextIndex = 0;
  /** Number of documents that were added so far: those that follow have higher numbers. */
  #added = 0;
  /** Index of the message that is left out. */
  #leftOut: number | undefined;

  read(document: JsonDocument): Part {
    const { type, delta, output_index: index, response } = document;
    const isNative = isOfCall(document);
    if (typeof index === 'number') this.#nextIndex = Math.max(this.#nextIndex, index + 1);
    if (FAILED.test(String(type))) return { isForeign: true };
    return {
      isNative,
      ...(type === 'response.output_text.delta' && typeof delta === 'string' && { text: delta }),
      isTextStart: isOpening(document),
      isTextEnd: type === 'response.output_text.done',
      isEnd: END.test(String(type)),
      finishReason: findReason(type, response),
    };
  }

  renumber(document: JsonDocument): JsonDocument {
    const { sequence_number: sequence } = document;
    if (this.#added === 0 || typeof sequence !== 'number') return document;
    return { ...document, sequence_number: sequence + this.#added };
  }

  /** The log probabilities of a text that is held back come with the documents of its pieces. */
  withText(document: JsonDocument, text: string): JsonDocument | undefined {
    return text === '' && listOf(document['logprobs']).length === 0
      ? undefined
      : { ...document, delta: text };
  }

  toText(text: string, model: JsonDocument): JsonDocument {
    this.#added += 1;
    const { obfuscation: _, ...document } = model;
    return this.renumber({ ...document, delta: text, ...('logprobs' in model && { logprobs: [] }) });
  }

  leaveOut([opened]: readonly JsonDocument[]): boolean {
    const index = opened?.['output_index'];
    if (typeof index !== 'number' || index + 1 !== this.#nextIndex) return false;
    this.#nextIndex = index;
    this.#leftOut = index;
    return true;
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

  withEnd(given: JsonDocument, text: string, calls: readonly ReturnedCall[]): JsonDocument | undefined {
    const document = this.renumber(given);
    const { type, part, item, response, output_index: index } = document;
    if (this.#leftOut !== undefined && index === this.#leftOut && CLOSING.test(String(type)))
      return undefined;
    if (type === 'response.output_text.done') return { ...document, text };
    if (type === 'response.content_part.done') return { ...document, part: withPartText(part, text) };
    if (type === 'response.output_item.done') return { ...document, item: withItemText(item, text) };
    if (!END.test(String(type)) || !isRecord(response)) return document;
    return { ...document, response: { ...response, output: toOutput(response['output'], text, calls) } };
  }

  rewrite(
    document: JsonDocument,
    { from, to }: NewText,
    calls: readonly ReturnedCall[],
  ): JsonDocument | undefined {
    const { output } = document;
    const texts = listOf(output).flatMap(partsIn);
    const isAll = texts.length === 1 && isType(texts[0], 'output_text') && texts[0]['text'] === from;
    return isAll ? { ...document, output: toOutput(output, to, calls) } : undefined;
  }

  withArguments(documents: readonly JsonDocument[], fixes: Fixes): JsonDocument[] {
    const calls = new PatchedItems(fixes);
    return documents.map((document) => calls.patch(document));
  }
}

/** Follows the items of calls by the id of their call, that of the item, or their index. */
class PatchedItems {
  readonly #fixes: Fixes;
  readonly #at = new Map<unknown, number>();
  #count = 0;
  readonly #written = new Set<number>();

  constructor(fixes: Fixes) {
    this.#fixes = fixes;
  }

  patch(document: JsonDocument): JsonDocument {
    const { type, response, output } = document;
    if (Array.isArray(output)) return { ...document, output: this.#patchList(output) };
    if (isRecord(response) && Array.isArray(response['output']))
      return { ...document, response: { ...response, output: this.#patchList(response['output']) } };
    if (!isOfCall(document)) return document;
    if (!NATIVE.test(String(type))) return this.#patchItem(document);
    const key = type === 'response.function_call_arguments.delta' ? 'delta' : 'arguments';
    const at = this.#at.get(document['item_id']) ?? this.#at.get(document['output_index']) ?? -1;
    if (!this.#fixes.has(at)) return document;
    const isLater = key === 'delta' && this.#written.has(at);
    this.#written.add(at);
    return { ...document, [key]: isLater ? '' : this.#json(at) };
  }

  #patchItem(document: JsonDocument): JsonDocument {
    const { item, output_index: index } = document;
    const { id, call_id: callId, arguments: args } = isRecord(item) ? item : {};
    const known = this.#at.get(callId) ?? this.#at.get(id);
    const at = known ?? this.#count++;
    for (const key of [callId, id, index]) if (key !== undefined) this.#at.set(key, at);
    // An item that begins mostly has none yet.
    return this.#fixes.has(at) && args
      ? { ...document, item: { ...(item as JsonDocument), arguments: this.#json(at) } }
      : document;
  }

  #patchList(items: readonly unknown[]): unknown[] {
    let count = 0;
    return items.map((item) => {
      if (!isType(item, 'function_call')) return item;
      const at = count++;
      return this.#fixes.has(at) ? { ...item, arguments: this.#json(at) } : item;
    });
  }

  #json(at: number): string {
    return JSON.stringify(this.#fixes.get(at));
  }
}
