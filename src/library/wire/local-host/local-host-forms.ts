// The forms in which other programs write the parts of a chat with Ollama, brought into our own. Pure.
import type { JsonRecord } from '../../util/json';
import { isRecord } from '../../util/json';
import type { OtherForms } from '../request/other-forms';
import type { TidyParts } from '../request/read-request';

export const TIDY_LOCAL_HOST: TidyParts = {
  messages: ({ messages }, forms) => ({
    messages: forms.list(messages, 'messages', (message, path) => tidyMessage(message, path, forms)),
  }),
  tools: ({ tools }, forms) => ({ tools: forms.tools(tools) }),
};

/** `images` is kept, so that a conversation with one is not taken for one without. */
function tidyMessage(message: JsonRecord, path: string, forms: OtherForms): JsonRecord {
  const { role, content, name, tool_calls: calls } = message;
  const ofResult = role === 'tool' ? ['tool_name', 'tool_call_id'] : [];
  const isNamed = role === 'tool' && typeof name === 'string' && message['tool_name'] === undefined;
  const { name: _name, ...rest } = message;
  const keys = ['role', 'content', 'images', ...ofResult, 'tool_calls'];
  const { tool_calls: _calls, ...picked } = forms.pick(isNamed ? rest : message, keys, path);
  return {
    ...picked,
    role: forms.role(role, path),
    ...(content !== undefined && { content: forms.text(content, `${path}.content`) }),
    ...(isNamed && { tool_name: name }),
    ...(Array.isArray(calls) &&
      calls.length > 0 && {
        tool_calls: forms.list(calls, `${path}.tool_calls`, (call, at) => ({
          ...forms.pick(call, ['id', 'function'], at),
          ...(isRecord(call['function']) && {
            function: forms.pick(call['function'], ['name', 'arguments'], `${at}.function`),
          }),
        })),
      }),
  };
}

/** Keys that no other protocol has in a body with `messages`. */
export const isLocalHostBody = ({
  messages,
  options,
  keep_alive: alive,
  think,
  format,
}: JsonRecord): boolean =>
  Array.isArray(messages) && (isRecord(options) || [alive, think, format].some((key) => key !== undefined));
