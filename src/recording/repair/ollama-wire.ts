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
    const isKept = text !== '' || document['done'] === true || Boolean(messageOf(document)['thinking']);
    return isKept ? withMessage(document, { content: text }) : undefined;
  },
  withoutCalls(document) {
    const { tool_calls: _, ...rest } = messageOf(document);
    const isKept = Boolean(rest['content']) || Boolean(rest['thinking']) || document['done'] === true;
    return isKept ? { ...document, message: rest } : undefined;
  },
  toText: (text, model) => toPiece({ content: text }, model),
  toCalls: (calls, model) => [toPiece({ content: '', tool_calls: writeCalls(calls) }, model)],
  // A reply with calls ends with `stop`, too.
  withEnd: (document) => document,
  rewrite: (document, text, calls) => withMessage(document, { content: text, tool_calls: writeCalls(calls) }),
});
