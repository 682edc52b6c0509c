// What services and servers say when they refuse a parameter of the request, beside tools and messages. Pure data.
import type { ServerWords } from './words-entry';

const refused = { cause: 'refused-parameter' } as const;

export const PARAMETER_WORDS: readonly ServerWords[] = [
  {
    // Of models that reason: a parameter, or any value of it but its default.
    id: 'openai-parameter',
    server: 'service',
    pattern:
      /Unsupported (?:parameter|value): ['"`](?<parameter>(?!tools|functions|tool_choice)[\w.]{1,64})['"`] (?:is not supported|does not support .{1,60}) with this model/i,
    ...refused,
    source: 'https://github.com/QwenLM/qwen-code/issues/921',
  },
  {
    id: 'anthropic-parameter',
    server: 'service',
    pattern: /['"`]?\b(?<parameter>temperature|top_p|top_k)['"`]? is deprecated for this model/i,
    ...refused,
    source: 'https://github.com/RooCodeInc/Roo-Code/issues/12162',
  },
  {
    id: 'anthropic-either',
    server: 'service',
    pattern: /['"`]?temperature['"`]? and ['"`]?(?<parameter>top_p)['"`]? cannot both be specified/i,
    ...refused,
    source: 'https://github.com/anomalyco/opencode/issues/1644',
  },
  {
    id: 'anthropic-thinking-choice',
    server: 'service',
    pattern: /Thinking may not be enabled when tool_choice forces/i,
    cause: 'thinking-or-choice',
    source: 'https://github.com/can1357/oh-my-pi/issues/341',
  },
  {
    // OpenAI, and LM Studio with the code alone.
    id: 'no-previous-response',
    pattern: /Previous response with id .{1,200} not found|previous_response_not_found/i,
    cause: 'no-stored-response',
    source: 'https://github.com/maximhq/bifrost/issues/2441',
  },
  {
    id: 'llama-previous-response',
    server: 'llama-server',
    pattern: /does not support ['"`]?previous_response_id/i,
    cause: 'no-stored-response',
    source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-chat.cpp',
  },
];
