// What templates and services say when they refuse the order, the roles or the parts of the messages. Pure data.
import type { ServerWords } from './words-entry';

const refused = { cause: 'refused-messages' } as const;
const GEMINI = 'https://ai.google.dev/gemini-api/docs/function-calling';
const MISTRAL = 'https://github.com/charmbracelet/crush/issues/279';
const LLAMA_CHAT = 'https://github.com/ggml-org/llama.cpp/blob/master/common/chat.cpp';

export const REFUSED_MESSAGE_WORDS: readonly ServerWords[] = [
  {
    // The words of its own code, where llama-server has those of the template in a trace.
    id: 'ollama-no-user',
    server: 'ollama',
    pattern: /^no user query found in messages/i,
    ...refused,
    rule: 'user-needed',
    source: 'https://github.com/ollama/ollama/issues/18107',
  },
  {
    id: 'user-needed',
    pattern:
      /No user query found|(?:conversation|messages?) must (?:start|begin) with (?:a |the )?['"`]?user|first message must (?:use|be|have)[^.]{0,30}\buser|at least one (?:user )?message is required/i,
    ...refused,
    rule: 'user-needed',
    source: 'https://github.com/ollama/ollama/issues/18107',
  },
  {
    id: 'roles-alternate',
    pattern:
      /roles must alternate|alternate between|must alternate\b|(?:multiple|consecutive|two) ['"`]?(?:user|assistant)['"`]? (?:roles|messages) (?:in a row|are not)/i,
    ...refused,
    rule: 'alternate',
    source: 'https://github.com/ggml-org/llama.cpp/issues/19851',
  },
  {
    id: 'system-first',
    pattern:
      /system (?:message|prompt|role)s? (?:must|should|can only|may only|has to) (?:be|come|appear) (?:only )?(?:at the (?:beginning|start)|the first|first)|only the first message (?:can|may) (?:be|have)[^.]{0,20}system|Unexpected role ['"`]?(?<role>system)['"`]? after role ['"`]?(?<after>\w+)/i,
    ...refused,
    rule: 'system-first',
    source: 'https://github.com/ollama/ollama/issues/17754',
  },
  {
    id: 'mistral-tool-without-call',
    pattern:
      /Unexpected role ['"`]?(?:RoleEnum\.)?(?<role>tool)['"`]?(?: after role ['"`]?(?<after>user|system|tool))?/i,
    ...refused,
    rule: 'results-answer-calls',
    source: 'https://github.com/mistralai/mistral-inference/issues/135',
  },
  {
    id: 'mistral-role-after-role',
    pattern: /Unexpected role ['"`]?(?<role>\w+)['"`]? after role ['"`]?(?<after>\w+)/i,
    ...refused,
    rule: 'alternate',
    source: MISTRAL,
  },
  {
    id: 'user-last',
    pattern:
      /Expected last role User or Tool|must end with (?:a |the )?['"`]?user|assistant messages at the end of the list|(?:does not|doesn't) support assistant message prefill|Assistant response prefill is incompatible|last message (?:must|should|cannot|has to)[^.]{0,40}(?:user|assistant)/i,
    ...refused,
    rule: 'user-last',
    source: 'https://github.com/smallmain/vscode-unify-chat-provider/issues/249',
  },
  {
    id: 'result-without-id',
    pattern:
      /(?:tool|function) messages? must have (?:a )?['"`]?tool_call_id|missing (?:field|(?:required )?parameter:?) ['"`]?(?:messages\S*)?tool_call_id|tool_call_id['"`]? (?:is required|field required|is missing)|Tool call ids?\b[^.]{0,40}(?:must|should) be (?:a-z|alphanumeric|\d)/i,
    ...refused,
    rule: 'result-id',
    source: 'https://docs.mistral.ai/capabilities/function_calling/',
  },
  {
    id: 'result-without-call',
    pattern:
      /role ['"`]?tool['"`]? must be a response to|unexpected `?tool_use_id`?|no (?:previous assistant message with a tool call|tool call found for)|tool (?:call )?result does not follow|function response turn comes immediately after|tool_call_id['"`]? (?:of )?['"`\w-]{0,80}['"`]? ?(?:was |is )?not found|Unexpected tool call id/i,
    ...refused,
    rule: 'results-answer-calls',
    source: 'https://github.com/itmisx/deepx-code/issues/94',
  },
  {
    id: 'call-without-result',
    pattern:
      /must be followed by tool (?:messages|results)|insufficient tool messages|ids were found without `?tool_result|Not the same number of function calls and responses|number of function response parts|function call turn comes immediately after|tool_call_ids? did not have response|(?:each|every) tool_?(?:call|use)s? must have[^.]{0,40}(?:result|response)/i,
    ...refused,
    rule: 'calls-need-results',
    source: 'https://github.com/agno-agi/agno/issues/3105',
  },
  {
    id: 'reasoning-back',
    pattern:
      /reasoning_content`? (?:in the thinking mode must|must be passed|is missing)|missing (?:a |the )?`?(?:thought_signature|reasoning_content)|Expected `?thinking`? or `?redacted_thinking|reasoning (?:item|content|details)\b[^.]{0,60}(?:must be (?:passed|sent) back|is (?:required|missing))|without its required (?:['"`]?reasoning|following item)|Invalid ['"`]?signature['"`]? in ['"`]?thinking/i,
    ...refused,
    rule: 'reasoning-back',
    source: 'https://github.com/MoonshotAI/kimi-agent-sdk/issues/169',
  },
  {
    id: 'call-arguments',
    pattern:
      /^invalid tool call arguments$|function\.arguments['"`]? (?:parameter )?[^.]{0,40}must be (?:in )?(?:a )?(?:valid )?JSON|Can only get item pairs from a mapping|Value looks like object, but can't find closing/i,
    ...refused,
    rule: 'call-arguments',
    source: 'https://github.com/ggml-org/llama.cpp/issues/25510',
  },
  {
    id: 'content-needed',
    pattern:
      /(?:must|should) (?:have|contain) (?:either )?['"`]?content['"`]?\b|(?:text )?content blocks? must be non-empty|messages? (?:must have|with[^.]{0,30}must have) non-empty content|(?:message )?content (?:cannot|must not|can't) be (?:empty|null|blank)/i,
    ...refused,
    rule: 'content-needed',
    source: LLAMA_CHAT,
  },
  {
    id: 'gemini-turns',
    server: 'service',
    pattern: /multiturn requests|Please use a valid role/i,
    ...refused,
    rule: 'alternate',
    source: GEMINI,
  },
  {
    id: 'role-not-supported',
    pattern:
      /(?:\brole ['"`]?(?<role>\w+)['"`]?|System role) (?:is )?not supported|Only [\w, ]{0,60} roles are supported/i,
    ...refused,
    rule: 'known-role',
    source: 'https://github.com/ggml-org/llama.cpp/issues/21879',
  },
  {
    id: 'role-not-in-list',
    pattern: /['"`](?<role>\w+)['"`] is not one of \[['"](?:system|user|assistant)/i,
    ...refused,
    rule: 'known-role',
    source: 'https://platform.openai.com/docs/guides/error-codes',
  },
  {
    id: 'unknown-role',
    pattern:
      /(?:unknown|invalid|unsupported|unexpected)(?: message)? role\b(?:[:= ]+['"`]?(?<role>[\w.]+))?|Missing 'role' in message/i,
    ...refused,
    rule: 'known-role',
    source: LLAMA_CHAT,
  },
  {
    id: 'any-template',
    pattern:
      /Jinja Exception|raise_exception|jinja2?\.exceptions|TemplateError|(?:chat )?template (?:error|rendering failed|failed)|error rendering (?:the )?(?:chat |prompt )?template|While executing \w+Expression at line|Failed to parse messages/i,
    ...refused,
    source: 'https://github.com/ggml-org/llama.cpp/issues/21879',
  },
];
