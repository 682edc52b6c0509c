// The forms in which other programs write the parts of a request of the Responses API, brought into our own. Pure.
import type { JsonRecord } from '../../util/json';
import { isRecord, toText } from '../../util/json';
import type { OtherForms } from '../request/other-forms';
import type { TidyParts } from '../request/read-request';

const TEXT_PARTS = ['input_text', 'output_text', 'text'];

export const TIDY_RESPONSES: TidyParts = {
  messages: ({ instructions, input }, forms) => {
    const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;
    const tidied = forms.list(items, 'input', (item, path) => tidyItem(item, path, forms));
    const kept = Array.isArray(tidied) ? tidied.filter((item) => item !== undefined) : tidied;
    // The model reads them as a message of the system before all others.
    const system = toText(instructions);
    return system === undefined || !Array.isArray(kept)
      ? { input: kept }
      : { instructions: undefined, input: [{ type: 'message', role: 'system', content: system }, ...kept] };
  },
  tools: ({ tools }, forms) => ({
    tools: forms.list(tools, 'tools', (tool, path) =>
      tool['type'] === 'function'
        ? forms.pick(tool, ['type', 'name', 'description', 'parameters', 'strict'], path)
        : tool,
    ),
  }),
};

/** @returns undefined for an item that is left out, which is noted */
function tidyItem(item: JsonRecord, path: string, forms: OtherForms): JsonRecord | undefined {
  // A message may omit its type.
  const { type = item['role'] === undefined ? undefined : 'message', content } = item;
  if (type === 'reasoning') {
    forms.note(path, 'reasoning');
    return undefined;
  }
  if (type === 'function_call') return forms.pick(item, ['type', 'call_id', 'name', 'arguments'], path);
  if (type === 'function_call_output') {
    const picked = forms.pick(item, ['type', 'call_id', 'output'], path);
    return { ...picked, output: forms.text(item['output'], `${path}.output`, TEXT_PARTS) };
  }
  if (type !== 'message') return item;
  const role = forms.role(item['role'], path);
  const text = forms.text(content, `${path}.content`, TEXT_PARTS);
  return {
    ...forms.pick(item, ['role', 'content'], path),
    type,
    role,
    content: role === 'assistant' && typeof text === 'string' ? [{ type: 'output_text', text }] : text,
  };
}

/** Keys that a chat of no other protocol has. A list of texts is what embeddings have. */
export const isResponsesBody = ({
  input,
  messages,
  prompt,
  previous_response_id: before,
}: JsonRecord): boolean =>
  messages === undefined &&
  (typeof input === 'string' ||
    (Array.isArray(input) && input.every(isRecord)) ||
    (input === undefined && (isRecord(prompt) || before !== undefined)));
