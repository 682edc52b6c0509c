// Rewrites replies of the chat completions protocol. Pure.
import { isRecord } from '../../library';
import { isType } from './is-type';
import type { Fixes, JsonDocument, NewText, Part, RepairWire, ReturnedCall } from './repair-wire';

const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The only choice of a document; undefined when there are several or none. */
function choiceOf({ choices }: JsonDocument): JsonDocument | undefined {
  if (!Array.isArray(choices) || choices.length !== 1) return undefined;
  const [choice] = choices as unknown[];
  return isRecord(choice) && (choice['index'] ?? 0) === 0 ? choice : undefined;
}

const partOf = (choice: JsonDocument, key: 'delta' | 'message'): JsonDocument => {
  const part = choice[key];
  return isRecord(part) ? part : {};
};

const hasCalls = ({ tool_calls: calls, function_call: call }: JsonDocument): boolean =>
  (Array.isArray(calls) && calls.length > 0) || isRecord(call);

const writeCalls = (calls: readonly ReturnedCall[]): object[] =>
  calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));

/** Only a reply that ended by itself ends in its calls now. */
const toFinish = (reason: unknown): unknown =>
  reason === 'stop' || reason === 'eos' ? 'tool_calls' : reason;

/** What belongs to the document that is the model, such as what was sampled, is not said twice. */
function withDelta(model: JsonDocument, delta: object): JsonDocument {
  const { usage: _, ...document } = model;
  return { ...document, choices: [{ index: 0, delta, finish_reason: null }] };
}

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === '';

/** Mistral writes text and thinking as parts; a text among them comes neither before nor after a text of its own. */
const hasTextPart = (content: unknown): boolean =>
  Array.isArray(content) && content.some((part) => isType(part, 'text'));

export const chatCompletionsWire = (): RepairWire => ({
  read(document): Part {
    const { choices, error } = document;
    if (error) return { isForeign: true };
    if (!Array.isArray(choices) || choices.length === 0) return {};
    const choice = choiceOf(document);
    if (!choice) return { isForeign: true };
    const delta = partOf(choice, 'delta');
    if (hasTextPart(delta['content'])) return { isForeign: true };
    const finishReason = toText(choice['finish_reason']);
    return {
      text: toText(delta['content']),
      isNative: hasCalls(delta),
      isEnd: finishReason !== undefined && finishReason !== '',
      finishReason,
    };
  },
  withText(document, text) {
    const { delta: _, index: __, ...more } = choiceOf(document) ?? {};
    const { content: ___, ...rest } = partOf(choiceOf(document) ?? {}, 'delta');
    const isEmpty = [...Object.values(rest), ...Object.values(more), document['usage']].every(isNothing);
    if (text === '' && isEmpty) return undefined;
    const delta = text === '' ? rest : { ...rest, content: text };
    return { ...document, choices: [{ ...choiceOf(document), delta }] };
  },
  toText: (text, model) => withDelta(model, { content: text }),
  toCalls: (calls, model) => [
    withDelta(model, {
      role: 'assistant',
      content: null,
      tool_calls: writeCalls(calls).map((call, index) => ({ index, ...call })),
    }),
  ],
  withEnd(document) {
    const choice = choiceOf(document) ?? {};
    return { ...document, choices: [{ ...choice, finish_reason: toFinish(choice['finish_reason']) }] };
  },
  rewrite(document, text, calls) {
    const choice = choiceOf(document);
    if (!choice) return undefined;
    const given = partOf(choice, 'message');
    const content = rewriteContent(given['content'], text);
    if (content === undefined) return undefined;
    const message = { ...given, content, tool_calls: writeCalls(calls) };
    const finish = toFinish(choice['finish_reason']);
    return { ...document, choices: [{ ...choice, message, finish_reason: finish }] };
  },
  withArguments(documents, fixes) {
    const calls = new PatchedCalls(fixes);
    return documents.map((document) => {
      const choice = choiceOf(document);
      if (!choice) return document;
      const key = isRecord(choice['message']) ? 'message' : 'delta';
      const { tool_calls: list, ...rest } = partOf(choice, key);
      if (!Array.isArray(list) || list.length === 0) return document;
      const part = { ...rest, tool_calls: list.map((entry: unknown) => calls.patch(entry)) };
      return { ...document, choices: [{ ...choice, [key]: part }] };
    });
  },
});

/** @returns null for an empty text; undefined when the text is not all in one place */
function rewriteContent(content: unknown, { from, to }: NewText): unknown {
  if (content === from) return to === '' ? null : to;
  if (!Array.isArray(content)) return undefined;
  const texts = content.filter((part) => isType(part, 'text'));
  if (texts.length !== 1 || texts[0]?.['text'] !== from) return undefined;
  const parts = content.flatMap((part: unknown) => (isType(part, 'text') ? toParts(part, to) : [part]));
  return parts.length === 0 ? null : parts;
}

const toParts = (part: JsonDocument, text: string): JsonDocument[] =>
  text === '' ? [] : [{ ...part, text }];

/** Follows the pieces of calls by their index, or where servers send none, by their id or their order. */
class PatchedCalls {
  readonly #fixes: Fixes;
  readonly #order: unknown[] = [];
  readonly #written = new Set<number>();

  constructor(fixes: Fixes) {
    this.#fixes = fixes;
  }

  /** The first piece of a call gets all of its arguments. */
  patch(entry: unknown): unknown {
    if (!isRecord(entry)) return entry;
    const at = this.#find(entry);
    const target = entry['function'];
    if (!this.#fixes.has(at) || !isRecord(target)) return entry;
    const written = this.#written.has(at) ? '' : JSON.stringify(this.#fixes.get(at));
    this.#written.add(at);
    return { ...entry, function: { ...target, arguments: written } };
  }

  #find({ index, id }: JsonDocument): number {
    const key = index ?? (id || undefined);
    const at = key === undefined ? this.#order.length - 1 : this.#order.indexOf(key);
    return at >= 0 ? at : this.#order.push(key) - 1;
  }
}
