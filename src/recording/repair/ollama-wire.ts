// Rewrites replies of Ollama's own protocol. Pure.
import { isRecord } from '../../library';
import type { JsonDocument, Part, RepairWire, ReturnedCall } from './repair-wire';

const messageOf = ({ message }: JsonDocument): JsonDocument => (isRecord(message) ? message : {});

const writeCalls = (calls: readonly ReturnedCall[]): object[] =>
  calls.map(({ id, name, arguments: args }, index) => ({ id, function: { index, name, arguments: args } }));

const withMessage = (document: JsonDocument, message: object): JsonDocument => ({
  ...document,
  message: { ...messageOf(document), ...message },
});

const toPiece = (message: object, { model, created_at: created }: JsonDocument): JsonDocument => ({
  model,
  created_at: created,
  message: { role: 'assistant', ...message },
  done: false,
});

export const ollamaWire = (): RepairWire => ({
  read(document): Part {
    if (document['error']) return { isForeign: true };
    const { content, tool_calls: calls } = messageOf(document);
    const { done, done_reason: reason } = document;
    return {
      text: typeof content === 'string' ? content : undefined,
      isNative: Array.isArray(calls) && calls.length > 0,
      isEnd: done === true,
      finishReason: typeof reason === 'string' ? reason : undefined,
    };
  },
  withText(document, text) {
    const { model: _, created_at: __, message: ___, done, ...more } = document;
    const isMore = done === true || Object.keys(more).length > 0 || Boolean(messageOf(document)['thinking']);
    return text !== '' || isMore ? withMessage(document, { content: text }) : undefined;
  },
  toText: (text, model) => toPiece({ content: text }, model),
  toCalls: (calls, model) => [toPiece({ content: '', tool_calls: writeCalls(calls) }, model)],
  // A reply with calls ends with `stop`, too.
  withEnd: (document) => document,
  rewrite: (document, { from, to }, calls) =>
    messageOf(document)['content'] === from
      ? withMessage(document, { content: to, tool_calls: writeCalls(calls) })
      : undefined,
  withArguments(documents, fixes) {
    let count = 0;
    const patch = (entry: unknown): unknown => {
      const at = count++;
      if (!fixes.has(at) || !isRecord(entry) || !isRecord(entry['function'])) return entry;
      return { ...entry, function: { ...entry['function'], arguments: fixes.get(at) } };
    };
    return documents.map((document) => {
      const { tool_calls: calls } = messageOf(document);
      return Array.isArray(calls) ? withMessage(document, { tool_calls: calls.map(patch) }) : document;
    });
  },
});
