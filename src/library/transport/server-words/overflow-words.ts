// What servers and services say when the prompt, or prompt and reply, do not fit into the context. Pure data.
import type { ServerWords } from './words-entry';

const overflow = { cause: 'context-overflow' } as const;
const PI = 'https://github.com/earendil-works/pi/blob/main/packages/ai/src/utils/overflow.ts';

export const OVERFLOW_WORDS: readonly ServerWords[] = [
  {
    id: 'llama-context',
    server: 'llama-server',
    pattern:
      /request(?: \((?<prompt>\d+) tokens\))? exceeds (?:the available )?context size(?: \((?<room>\d+) tokens\))?/i,
    ...overflow,
    source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-context.cpp',
  },
  {
    id: 'vllm-output-and-input',
    server: 'vllm',
    pattern:
      /maximum context length is (?<room>\d+) tokens\. However, you requested (?<output>\d+) output tokens and your prompt contains (?:at least )?(?<prompt>\d+) input tokens/i,
    ...overflow,
    source: PI,
  },
  {
    id: 'vllm-passed',
    server: 'vllm',
    pattern:
      /You passed (?<prompt>\d+) input tokens and requested (?<output>\d+) output tokens\. However, the model'?s context length is only (?<room>\d+)/i,
    ...overflow,
    source: 'https://github.com/anomalyco/opencode/issues/17746',
  },
  {
    id: 'vllm-max-tokens',
    server: 'vllm',
    pattern:
      /is too large: (?<output>\d+)\. This model'?s maximum context length is (?<room>\d+) tokens and your request has (?<prompt>\d+) input tokens/i,
    ...overflow,
    source: 'https://github.com/NousResearch/hermes-agent/pull/83558',
  },
  {
    id: 'vllm-model-length',
    server: 'vllm',
    pattern:
      /prompt \((?:total )?length (?<prompt>\d+)\) is (?:longer than the maximum model length of|too long to fit into the model \(context length) (?<room>\d+)/i,
    ...overflow,
    source: 'https://github.com/xorbitsai/inference/issues/3785',
  },
  {
    // OpenAI, DeepSeek, older vLLM, OpenRouter; the sum stands first, its parts in brackets, in any number.
    id: 'requested-in-parts',
    pattern:
      /maximum context length is (?<room>[\d,]+) tokens[.,] (?:However,? )?(?:however,? )?you requested (?:about )?(?<total>[\d,]+) tokens \([^()]*?(?<output>[\d,]+) (?:in|for|of) the (?:completion|output)/i,
    ...overflow,
    source: 'https://github.com/ruipeterpan/specreason/issues/4',
  },
  {
    id: 'sglang-total',
    server: 'sglang',
    pattern:
      /exceeds the model'?s maximum context length of (?<room>[\d,]+) tokens\. You requested a total of (?<total>[\d,]+) tokens: (?<prompt>[\d,]+) tokens from the input messages and (?<output>[\d,]+) tokens for the completion/i,
    ...overflow,
    source: 'https://github.com/anomalyco/opencode/pull/25292',
  },
  {
    id: 'requested-prompt',
    pattern:
      /maximum context length is (?<room>[\d,]+) tokens[^]{0,80}?(?:\(|requested (?:about )?[\d,]+ tokens \()(?<prompt>[\d,]+) (?:in|of) (?:the|your) (?:messages|prompt|text input)/i,
    ...overflow,
    source: 'https://github.com/aimclub/OSA/issues/317',
  },
  {
    id: 'resulted-in',
    pattern:
      /maximum context length is (?<room>[\d,]+) tokens[^]{0,80}?(?:resulted in|requested|has|contains?) (?:over |about |at least )?(?<prompt>[\d,]+)/i,
    ...overflow,
    source: 'https://github.com/oobabooga/textgen/issues/4453',
  },
  {
    id: 'sglang-input',
    server: 'sglang',
    pattern:
      /Input length \((?<prompt>\d+) tokens\) exceeds the maximum allowed length \((?<room>\d+) tokens\)/i,
    ...overflow,
    source: 'https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/managers/utils.py',
  },
  {
    // SGLang, and Together, which runs it.
    id: 'input-longer-than-context',
    pattern:
      /input \((?<prompt>[\d,]+) tokens\) is longer than the model'?s context length \((?<room>[\d,]+) tokens\)/i,
    ...overflow,
    source: 'https://github.com/QwenLM/Qwen3/issues/1321',
  },
  {
    id: 'lm-studio-keep',
    server: 'lm-studio',
    pattern:
      /keep the first (?<prompt>\d+) tokens when context the overflows[^]{0,80}?context length of only (?<room>\d+)/i,
    ...overflow,
    source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/237',
  },
  {
    id: 'lm-studio-n-keep',
    server: 'lm-studio',
    pattern:
      /tokens to keep from the initial prompt is greater than the context length(?: \(n_keep: ?(?<prompt>\d+) ?>= ?n_ctx: ?(?<room>\d+))?/i,
    ...overflow,
    source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2256',
  },
  {
    id: 'lm-studio-context',
    server: 'lm-studio',
    pattern: /Reached context length of (?<room>\d+)|context length is only \d+/i,
    ...overflow,
    source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/546',
  },
  {
    id: 'mlx-context',
    pattern: /Context size has been exceeded/i,
    ...overflow,
    source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2339',
  },
  {
    id: 'tabby-request',
    server: 'tabbyapi',
    pattern:
      /(?:Request|Prompt|Context) length (?<prompt>\d+)(?: \+ (?<output>\d+))? (?:is greater than|exceeds) (?:the )?(?:max_seq_len|cache size|maximum sequence length) ?(?:of )?(?<room>\d+)/i,
    ...overflow,
    source: 'https://github.com/SillyTavern/SillyTavern/issues/3543',
  },
  {
    id: 'llama-cpp-python',
    pattern: /Requested tokens \((?<prompt>\d+)\) exceed context window of (?<room>\d+)/i,
    ...overflow,
    source: 'https://github.com/abetlen/llama-cpp-python/blob/main/llama_cpp/llama.py',
  },
  {
    id: 'ds4-context',
    pattern:
      /Prompt has (?<prompt>[\d,]+) tokens?, but the configured context size is (?<room>[\d,]+) tokens?/i,
    ...overflow,
    source: PI,
  },
  {
    id: 'ollama-prompt',
    server: 'ollama',
    pattern: /(?:prompt too long; exceeded (?:max )?context length|input length exceeds the context length)/i,
    ...overflow,
    source: PI,
  },
  {
    id: 'tgi-inputs',
    server: 'tgi',
    pattern:
      /`inputs` (?:tokens \+ `max_new_tokens` )?must (?:be <=|have less than) (?<room>\d+)(?: tokens)?\. Given: (?<prompt>\d+)(?: `?inputs`? tokens and (?<output>\d+) `?max_new_tokens`?)?/i,
    ...overflow,
    source: 'https://github.com/huggingface/text-generation-inference/blob/main/router/src/validation.rs',
  },
  {
    id: 'anthropic-prompt',
    server: 'service',
    pattern: /prompt is too long: (?<prompt>[\d,]+) tokens > (?<room>[\d,]+) maximum/i,
    ...overflow,
    source: 'https://docs.anthropic.com/en/api/errors',
  },
  {
    id: 'anthropic-sum',
    server: 'service',
    pattern:
      /input length and `?max_tokens`? exceed context limit:? \(?(?:i\.?e\.? )?(?<prompt>\d+) \+ (?<output>\d+) > (?<room>\d+)/i,
    ...overflow,
    source: 'https://docs.anthropic.com/en/docs/build-with-claude/context-windows',
  },
  {
    id: 'openai-window',
    server: 'service',
    pattern: /input exceeds the context window of this model/i,
    ...overflow,
    source: 'https://platform.openai.com/docs/guides/error-codes',
  },
  {
    id: 'openai-input-limit',
    server: 'service',
    pattern:
      /Input tokens exceed the configured limit of (?<room>[\d,]+) tokens\. Your messages resulted in (?<prompt>[\d,]+) tokens/i,
    ...overflow,
    source: 'https://platform.openai.com/docs/guides/error-codes',
  },
  {
    id: 'openai-compatible-input',
    pattern:
      /Input length (?:of )?\(?(?<prompt>[\d,]+)\)?(?: tokens)? exceeds (?:the )?(?:model'?s )?(?:maximum|max)(?: allowed)? (?:input|context) length (?:of )?\(?(?<room>[\d,]+)/i,
    ...overflow,
    source: PI,
  },
  {
    id: 'gemini-input',
    server: 'service',
    pattern:
      /input token count(?: (?:is )?\(?(?<prompt>[\d,]+)\)?)?(?: but model only supports up to| exceeds the maximum number of tokens allowed) ?\(?(?<room>[\d,]+)/i,
    ...overflow,
    source: PI,
  },
  {
    id: 'xai-prompt',
    server: 'service',
    pattern: /maximum prompt length is (?<room>[\d,]+) but the request contains (?<prompt>[\d,]+) tokens/i,
    ...overflow,
    source: PI,
  },
  {
    id: 'cerebras-length',
    server: 'service',
    pattern: /Current length is (?<prompt>\d+) while limit is (?<room>\d+)/i,
    ...overflow,
    source: 'https://github.com/cline/cline/issues/5140',
  },
  {
    id: 'groq-length',
    server: 'service',
    pattern: /Please reduce the length of the messages or completion/i,
    ...overflow,
    source: 'https://console.groq.com/docs/errors',
  },
  {
    id: 'mistral-prompt',
    server: 'service',
    pattern:
      /Prompt contains (?<prompt>[\d,]+) tokens(?: and [\d,]+ draft tokens)?, too large for model with (?<room>[\d,]+) maximum context length/i,
    ...overflow,
    source: PI,
  },
  {
    id: 'copilot-prompt',
    server: 'service',
    pattern: /prompt token count of (?<prompt>[\d,]+) exceeds the limit of (?<room>[\d,]+)/i,
    ...overflow,
    source: PI,
  },
  {
    id: 'kimi-limit',
    server: 'service',
    pattern: /exceeded model token limit:? ?(?<room>[\d,]+)?(?: \(requested: (?<prompt>[\d,]+)\))?/i,
    ...overflow,
    source: PI,
  },
  {
    id: 'minimax-window',
    server: 'service',
    pattern: /context window exceeds limit/i,
    ...overflow,
    source: PI,
  },
  {
    id: 'dashscope-range',
    server: 'service',
    pattern: /Range of input length should be \[\d+, ?(?<room>\d+)\]/i,
    ...overflow,
    source: 'https://help.aliyun.com/zh/model-studio/error-code',
  },
  {
    id: 'bedrock-input',
    server: 'service',
    pattern:
      /input is too long for requested model|Input Tokens Exceeded: Number of input tokens exceeds maximum length/i,
    ...overflow,
    source: PI,
  },
  {
    id: 'fireworks-prompt',
    server: 'service',
    pattern: /prompt is too long: (?<prompt>[\d,]+), model maximum context length: (?<room>[\d,]+)/i,
    ...overflow,
    source: 'https://github.com/fw-ai/cookbook/issues/134',
  },
  {
    id: 'cohere-tokens',
    server: 'service',
    pattern:
      /total number of tokens (?:in the prompt|\(prompt and prediction\)) cannot exceed (?<room>\d+)[^]{0,60}?(?:received|was|has) (?<prompt>\d+)|too many tokens: [^]{0,120}?size limit exceeded/i,
    ...overflow,
    source: 'https://github.com/Quansight/ragna/pull/351',
  },
  {
    id: 'zhipu-prompt',
    server: 'service',
    pattern: /Prompt ?(?:超长|exceeds max length)|\[code\] 1261\b/i,
    ...overflow,
    source: 'https://docs.bigmodel.cn/cn/api/api-code',
  },
  {
    id: 'chinese-context',
    server: 'service',
    pattern:
      /上下文.{0,12}(?:超|过长|过大)|超.{0,8}上下文|(?:输入|提示词|prompt).{0,12}(?:超长|过长|超(?:过|出).{0,12}(?:长度|限制|上限))/i,
    ...overflow,
    source: 'https://help.aliyun.com/zh/model-studio/error-code',
  },
  {
    id: 'any-context',
    pattern:
      /context[ _-]?(?:length|window|size|limit|budget)?[ _-](?:has been |was |is )?(?:exceeded|exceeds|overflow)|(?:exceed|surpass|overflow|longer than|larger than|greater than|beyond|too (?:long|large|big) for|not fit (?:in|into|within))[a-z]*\b[^.]{0,60}\b(?:context[ _-]?(?:length|window|size|limit|budget)|n_ctx|max_seq_len|max_model_len|maximum (?:prompt|input|sequence|model) length)|(?:prompt|input|conversation|messages?|request) (?:is|are|was|has|have|contains?)? ?(?:too (?:long|large)|too many tokens)(?! for an? (?:image|file))|too many (?:input|prompt) tokens|maximum context length|context_length_exceeded|context_window_exceeded|exceed_context_size_error|ContextWindowExceeded/i,
    ...overflow,
    source: PI,
  },
];
