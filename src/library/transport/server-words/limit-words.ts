// What servers and services say about tools, models, rates, accounts, filters and the length of the reply. Pure data.
import type { ServerWords } from './words-entry';

/** Stand before the words for an overflow, with which they share some. */
export const LIMIT_WORDS: readonly ServerWords[] = [
  {
    id: 'quota-code',
    server: 'service',
    pattern: /\[(?:code|type)\] \S*(?:insufficient_quota|billing|quota_exceeded|payment_required)/i,
    cause: 'quota',
    source: 'https://platform.openai.com/docs/guides/error-codes',
  },
  {
    id: 'balance',
    server: 'service',
    pattern:
      /insufficient[_ ](?:account )?(?:balance|credits?|quota|funds)|credit balance is too low|余额不足|欠费|in arrears|Payment Required/i,
    cause: 'quota',
    source: 'https://docs.bigmodel.cn/cn/api/api-code',
  },
  {
    // Of Anthropic and OpenRouter. Where the service says when to try again, as Groq does, it is a rate.
    id: 'daily-quota',
    server: 'service',
    pattern:
      /exceeded your daily (?:rate )?limit|free-models-per-day|(?:tokens|requests) per day\b(?![^]{0,2000}try again in)/i,
    cause: 'quota',
    source: 'https://github.com/nraiden/cofounder/issues/40',
  },
  {
    id: 'rate',
    server: 'service',
    pattern:
      /rate[ _-]?limit|too many requests|(?:tokens|requests) per (?:min|minute|day|hour|second)\b|\b[TR]P[MD]\b|\bqps\b|throttl|please wait before trying again|RESOURCE_EXHAUSTED|速率|频率|限流/i,
    cause: 'rate-limit',
    source: 'https://console.groq.com/docs/errors',
  },
  {
    // Of Azure, and of gateways before it, which leave out the code. With 200 a filter withheld the reply.
    id: 'azure-prompt-filter',
    server: 'service',
    pattern:
      /\[code\] (?:content_filter|ResponsibleAIPolicyViolation)|filtered due to the prompt triggering .{0,40}content management policy/i,
    cause: 'prompt-filter',
    source: 'https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter',
  },
  {
    id: 'openai-output',
    server: 'service',
    pattern:
      /max_(?:completion_)?tokens['"`]? is too large: ?(?<output>[\d,]+)\. This model supports at most (?<room>[\d,]+)/i,
    cause: 'output-limit',
    source: 'https://platform.openai.com/docs/guides/error-codes',
  },
  {
    // DeepSeek and DashScope.
    id: 'output-range',
    server: 'service',
    pattern:
      /range of (?:max_tokens|max_completion_tokens|max_output_tokens) (?:is|should be) \[\d+, ?(?<room>[\d,]+)/i,
    cause: 'output-limit',
    source: 'https://github.com/deepseek-ai/DeepSeek-V3/issues/69',
  },
  {
    id: 'anthropic-output',
    server: 'service',
    pattern: /max_tokens:? (?<output>[\d,]+) > (?<room>[\d,]+), which is the maximum/i,
    cause: 'output-limit',
    source: 'https://docs.anthropic.com/en/api/errors',
  },
  {
    id: 'groq-output',
    server: 'service',
    pattern:
      /max_(?:completion_)?tokens['"`]? must be (?:less than or equal to|<=|at most) ['"`]?(?<room>[\d,]+)/i,
    cause: 'output-limit',
    source: 'https://console.groq.com/docs/errors',
  },
  {
    id: 'any-output',
    pattern:
      /max_(?:completion_|output_|new_)?tokens['"`]?[^.]{0,60}exceeds? (?:the )?(?:model'?s )?(?:maximum|max|limit)[^.]{0,20}(?:output|completion)/i,
    cause: 'output-limit',
    source: 'https://github.com/mnfst/llm-gateway/issues/1177',
  },
];

export const MODEL_WORDS: readonly ServerWords[] = [
  {
    id: 'llama-without-jinja',
    server: 'llama-server',
    pattern: /(?:tools? param requires|requires) --jinja/i,
    cause: 'server-without-tools',
    source: 'https://github.com/ggml-org/llama.cpp/blob/master/docs/function-calling.md',
  },
  {
    id: 'vllm-without-parser',
    server: 'vllm',
    pattern: /requires --enable-auto-tool-choice|tool_choice[^.]{0,60}requires --tool-call-parser/i,
    cause: 'server-without-tools',
    source: 'https://github.com/vllm-project/vllm/pull/30613',
  },
  {
    id: 'openrouter-without-tools',
    server: 'service',
    pattern: /No endpoints found that support (?:tool use|the provided ['"`]?tool_choice)/i,
    cause: 'model-without-tools',
    source: 'https://github.com/pydantic/pydantic-ai/issues/2896',
  },
  {
    id: 'model-without-tools',
    pattern:
      /does(?: not|n't) support (?:tools|tool[_ -]?(?:use|calls?|calling)|function[_ -]?calls?(?:ing)?|functions)\b|(?:tools?|tool[_ -]use|tool[_ -]call(?:s|ing)?|function[_ -]call(?:s|ing)?)['"`]?(?: parameters?)? (?:is|are) not supported|not support(?:ed)? (?:the )?(?:parameter )?['"`]?tools\b/i,
    cause: 'model-without-tools',
    source: 'https://github.com/ollama/ollama/blob/main/server/routes.go',
  },
  {
    id: 'no-such-model',
    pattern: /model ["'`](?<model>[^"'`]{1,200})["'`] (?:was )?(?:not found|does not exist)|model_not_found/i,
    cause: 'no-such-model',
    source: 'https://docs.ollama.com/api',
  },
  {
    id: 'ollama-option',
    server: 'ollama',
    pattern: /option .{0,80}must be of type/i,
    cause: 'refused-request',
    source: 'https://github.com/ollama/ollama/blob/main/api/types.go',
  },
];
