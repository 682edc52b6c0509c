// The forms in which other programs write the parts of a chat completion, brought into our own. Pure.
import type { JsonRecord } from '../../util/json';
import { isRecord } from '../../util/json';
import type { OtherForms } from '../request/other-forms';
import type { TidyParts } from '../request/read-request';

export const TIDY_HOSTED_API: TidyParts = {
  messages: ({ messages }, forms) => ({
    messages: forms.list(messages, 'messages', (message, path) => tidyMessage(message, path, forms)),
  }),
  tools: ({ tools }, forms) => ({ tools: forms.tools(tools) }),
};

function tidyMessage(message: JsonRecord, path: string, forms: OtherForms): JsonRecord {
  const { role, content, tool_calls: calls } = message;
  const keys = ['role', 'content', ...(role === 'tool' ? ['tool_call_id'] : []), 'tool_calls'];
  const { tool_calls: _calls, ...picked } = forms.pick(message, keys, path);
  return {
    ...picked,
    role: forms.role(role, path),
    ...(content !== undefined && { content: forms.text(content, `${path}.content`) }),
    // An empty list is what some clients write for none.
    ...(Array.isArray(calls) &&
      calls.length > 0 && {
        tool_calls: forms.list(calls, `${path}.tool_calls`, (call, at) => ({
          ...forms.pick(call, ['id', 'type', 'function', 'extra_content'], at),
          ...(isRecord(call['function']) && {
            function: forms.pick(call['function'], ['name', 'arguments'], `${at}.function`),
          }),
        })),
      }),
  };
}
