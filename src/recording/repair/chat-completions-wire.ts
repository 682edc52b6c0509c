// Rewrites replies of the chat completions protocol. Pure.
import { isRecord } from '../../library';
import type { JsonDocument, Part, RepairWire, ReturnedCall } from './repair-wire';

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

const withDelta = (document: JsonDocument, delta: object, finish: unknown): JsonDocument => {
  const choice = choiceOf(document) ?? { index: 0 };
  const { usage: _, ...rest } = document;
  return { ...rest, choices: [{ ...choice, delta, finish_reason: finish ?? null }] };
};

export const chatCompletionsWire = (): RepairWire => ({
  read(document): Part {
    const { choices } = document;
    if (!Array.isArray(choices) || choices.length === 0) return {};
    const choice = choiceOf(document);
    if (!choice) return { isForeign: true };
    const delta = partOf(choice, 'delta');
    const finishReason = toText(choice['finish_reason']);
    return {
      text: toText(delta['content']),
      isNative: hasCalls(delta),
      isEnd: finishReason !== undefined && finishReason !== '',
      finishReason,
    };
  },
  withText(document, text) {
    const choice = choiceOf(document) ?? {};
    const { content: _, ...rest } = partOf(choice, 'delta');
    const isEmpty = text === '' && Object.values(rest).every((value) => value === null || value === '');
    const isEnd = typeof choice['finish_reason'] === 'string';
    if (isEmpty && !isEnd && !isRecord(document['usage'])) return undefined;
    return { ...document, choices: [{ ...choice, delta: text === '' ? rest : { ...rest, content: text } }] };
  },
  withoutCalls(document) {
    const choice = choiceOf(document) ?? {};
    const { tool_calls: _, function_call: __, ...rest } = partOf(choice, 'delta');
    const isEmpty = Object.values(rest).every(
      (value) => value === null || value === '' || value === 'assistant',
    );
    const isEnd = typeof choice['finish_reason'] === 'string';
    return isEmpty && !isEnd ? undefined : { ...document, choices: [{ ...choice, delta: rest }] };
  },
  toText: (text, model) => withDelta(model, { content: text }, null),
  toCalls: (calls, model) => [
    withDelta(
      model,
      {
        role: 'assistant',
        content: null,
        tool_calls: writeCalls(calls).map((call, index) => ({ index, ...call })),
      },
      null,
    ),
  ],
  withEnd(document) {
    const choice = choiceOf(document) ?? {};
    return { ...document, choices: [{ ...choice, finish_reason: toFinish(choice['finish_reason']) }] };
  },
  rewrite(document, text, calls) {
    const choice = choiceOf(document);
    if (!choice) return undefined;
    const message = {
      ...partOf(choice, 'message'),
      content: text === '' ? null : text,
      tool_calls: writeCalls(calls),
    };
    const finish = toFinish(choice['finish_reason']);
    return { ...document, choices: [{ ...choice, message, finish_reason: finish }] };
  },
});
