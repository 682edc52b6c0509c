// The forms in which other programs write the parts of a request of the Messages API, brought into our own. Pure.
import type { JsonRecord } from '../../util/json';
import { isRecord, toRecord } from '../../util/json';
import type { OtherForms } from '../request/other-forms';
import type { TidyParts } from '../request/read-request';

export const TIDY_MESSAGES: TidyParts = {
  messages: ({ system, messages }, forms) => ({
    ...(system !== undefined && { system: forms.text(system, 'system') }),
    messages: Array.isArray(messages)
      ? messages.flatMap((turn: unknown, index) =>
          isRecord(turn) ? tidyTurn(turn, `messages[${index}]`, forms) : [turn],
        )
      : messages,
  }),
  tools: ({ tools }, forms) => ({
    tools: forms.list(tools, 'tools', (tool, path) => {
      // A tool of the service itself has a type, and no schema.
      if (!isRecord(tool['input_schema'])) return tool;
      return forms.pick(tool, ['name', 'description', 'input_schema', 'strict'], path);
    }),
  }),
};

function tidyTurn(turn: JsonRecord, path: string, forms: OtherForms): JsonRecord[] {
  const { role, content } = turn;
  const { content: _content, ...picked } = forms.pick(turn, ['role', 'content'], path);
  const at = `${path}.content`;
  const text = forms.text(content, at);
  if (!Array.isArray(text)) return [{ ...picked, content: text }];
  if (role === 'assistant') return [{ ...picked, content: tidyReply(text, at, forms) }];
  return splitResults(text, at, forms).map((part) => ({ ...picked, content: part }));
}

/** The text first, then the calls, as our own turns have them; other blocks stay, and so does the order then. */
function tidyReply(blocks: readonly unknown[], path: string, forms: OtherForms): unknown[] {
  const kept = blocks.flatMap((block, index) => {
    const { type } = toRecord(block);
    const at = `${path}[${index}]`;
    if (type === 'thinking' || type === 'redacted_thinking') {
      forms.note(at, 'reasoning');
      return [];
    }
    if (type === 'text') return [forms.pick(toRecord(block), ['type', 'text'], at)];
    if (type === 'tool_use') return [forms.pick(toRecord(block), ['type', 'id', 'name', 'input'], at)];
    return [block];
  });
  const texts = kept.filter((block) => toRecord(block)['type'] === 'text');
  const calls = kept.filter((block) => toRecord(block)['type'] === 'tool_use');
  if (texts.length + calls.length < kept.length) return kept;
  if (texts.length > 1) forms.note(path, 'joined');
  const text = texts.map((block) => String(toRecord(block)['text'])).join('\n');
  return [...(text === '' ? [] : [{ type: 'text', text }]), ...calls];
}

/** The results of calls, and a text beside them, are turns of their own; the service joins them again. */
function splitResults(blocks: readonly unknown[], path: string, forms: OtherForms): unknown[] {
  const turns: unknown[] = [];
  let results: unknown[] | undefined;
  for (const [index, block] of blocks.entries()) {
    const record = toRecord(block);
    const at = `${path}[${index}]`;
    if (record['type'] === 'tool_result') {
      if (!results) turns.push((results = []));
      results.push(tidyResult(record, at, forms));
      continue;
    }
    results = undefined;
    // Anything else, such as an image, has no form of ours: the turns then do not read back, and stay as they are.
    turns.push(record['type'] === 'text' ? forms.text([block], at) : [block]);
  }
  return turns;
}

function tidyResult(result: JsonRecord, path: string, forms: OtherForms): JsonRecord {
  const { content = '', is_error: isError } = result;
  const { is_error: _isError, ...picked } = forms.pick(
    result,
    ['type', 'tool_use_id', 'content', 'is_error'],
    path,
  );
  return {
    ...picked,
    content: forms.text(content, `${path}.content`),
    ...(isError === true && { is_error: true }),
  };
}

/**
 * Thinking with a fixed budget is refused where a reply with calls does not begin with its own; adaptive thinking is not.
 * https://github.com/anomalyco/opencode/issues/3077
 */
export const needReasoning = (raw: JsonRecord): string[] =>
  toRecord(raw['thinking'])['type'] === 'enabled' ? ['thinking'] : [];

/** Keys and blocks that no other protocol has in a body with `messages`. */
export const isMessagesBody = (body: JsonRecord): boolean =>
  Array.isArray(body['messages']) &&
  (['system', 'stop_sequences', 'anthropic_version', 'anthropic_beta'].some(
    (key) => body[key] !== undefined,
  ) ||
    isRecord(body['thinking']) ||
    toRecords(body['tools']).some((tool) => isRecord(tool['input_schema'])) ||
    toRecords(body['messages']).some(({ content }) =>
      toRecords(content).some(({ type }) => type === 'tool_use' || type === 'tool_result'),
    ));

const toRecords = (value: unknown): JsonRecord[] => (Array.isArray(value) ? value.map(toRecord) : []);
