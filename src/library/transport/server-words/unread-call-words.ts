// What servers say when they cannot read the call that a model wrote, or when it fits none of the offered tools. Pure data.
import type { ServerWords } from './words-entry';

const OLLAMA = 'https://github.com/ollama/ollama';
const LLAMA = 'https://github.com/ggml-org/llama.cpp';

/** An error of Go's JSON or XML reader. */
const GO_READER =
  /^(?:XML syntax error on line \d+|expected element type <|invalid character '.{1,8}' (?:after|in|looking)|unexpected end of JSON input|json: cannot unmarshal|json: unsupported|cannot unmarshal)/i;

export const UNREAD_CALL_WORDS: readonly ServerWords[] = [
  {
    id: 'ollama-raw-call',
    server: 'ollama',
    pattern: /error parsing tool call: raw='(?<text>[^]+)/i,
    textEnd: "', err=",
    cause: 'unread-call',
    source: `${OLLAMA}/issues/12884`,
  },
  {
    id: 'ollama-cut-call',
    server: 'ollama',
    pattern: /invalid tool call arguments for "?(?<tool>[^":]{1,64})"?: unexpected end of JSON/i,
    cause: 'cut-call',
    source: `${OLLAMA}/blob/main/llm/server.go`,
  },
  {
    id: 'ollama-call',
    server: 'ollama',
    pattern: /error parsing tool call|returned invalid tool call arguments for/i,
    cause: 'unread-call',
    source: `${OLLAMA}/issues/11704`,
  },
  {
    id: 'ollama-parser',
    server: 'ollama',
    pattern: /^(?:failed to parse (?:XML|JSON)\b|empty function name|mismatched arg_key and arg_value)/i,
    cause: 'unread-call',
    isOfReply: true,
    source: 'https://github.com/continuedev/continue/issues/10896',
  },
  {
    id: 'go-reader',
    server: 'ollama',
    pattern: GO_READER,
    cause: 'unread-call',
    isOfReply: true,
    source: `${OLLAMA}/issues/12380`,
  },
  {
    id: 'llama-unparsed-input',
    server: 'llama-server',
    pattern: /Failed to parse input at pos(?:ition)? \d+:? ?(?<text>[^]*)$/i,
    // Where Ollama passes the error on, printed as a map of Go.
    textEnd: ' type:server_error]',
    cause: 'unread-call',
    source: `${LLAMA}/issues/23838`,
  },
  {
    id: 'llama-unexpected-output',
    server: 'llama-server',
    pattern: /model produced output that does not match the expected .{0,60}format/i,
    cause: 'unread-call',
    source: `${LLAMA}/issues/20532`,
  },
  {
    // The same words for a call of the history, whose arguments are sent as `{}` here when they are not JSON.
    id: 'llama-call-arguments',
    server: 'llama-server',
    pattern: /Failed to parse tool call arguments as JSON/i,
    cause: 'unread-call',
    rule: 'call-arguments',
    source: 'https://github.com/vxcontrol/pentagi/issues/313',
  },
  {
    id: 'llama-invalid-diff',
    server: 'llama-server',
    pattern: /Invalid diff: (?:now finding less tool calls|.{0,400} not found at start of)/is,
    cause: 'unread-call',
    source: `${LLAMA}/blob/master/common/chat.cpp`,
  },
  {
    id: 'llama-grammar',
    server: 'llama-server',
    pattern: /Unexpected empty grammar stack after accepting piece: ?\n?[^]{0,60}/i,
    cause: 'unknown-tool',
    source: `${LLAMA}/blob/master/src/llama-grammar.cpp`,
  },
  {
    id: 'lm-studio-unavailable-tool',
    server: 'lm-studio',
    pattern: /Model tried to call (?:an )?(?:unavailable|unknown) tool ["'‘`]?(?<tool>[\w.-]{1,64})/i,
    cause: 'unknown-tool',
    source: 'https://github.com/anomalyco/opencode/issues/31558',
  },
  {
    id: 'lm-studio-call',
    server: 'lm-studio',
    pattern:
      /(?:Failed to (?:parse tool call|generate a tool call|parse arguments for tool)|Model failed to generate a tool call)(?:[^]*?Model Output:\s*(?<text>[^]+))?/i,
    cause: 'unread-call',
    source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/942',
  },
  {
    // pydantic's words for a forced call that is not a list of calls as JSON.
    id: 'vllm-forced-call',
    server: 'vllm',
    pattern: /validation errors? for (?:list\[)?(?:function-wrap|FunctionDefinition|FunctionCall|ToolCall)/i,
    cause: 'unread-call',
    source: 'https://github.com/vllm-project/vllm/issues/27921',
  },
  {
    id: 'sglang-call',
    server: 'sglang',
    pattern: /Failed to parse (?:fc related info to json|function call|tool calls?)|Tool call parsing error/i,
    cause: 'unread-call',
    source: 'https://github.com/sgl-project/sglang/issues/4300',
  },
  {
    id: 'tgi-call',
    server: 'tgi',
    pattern: /^(?:Tool error: |EOF while parsing an? (?:object|string|list|value) at line \d+)/i,
    cause: 'unread-call',
    isOfReply: true,
    source: 'https://github.com/huggingface/text-generation-inference/issues/2145',
  },
  {
    id: 'groq-unknown-tool',
    server: 'service',
    pattern:
      /attempted to call tool ['"`]?(?<tool>[^'"`]{1,64}?)['"`]? which was not in request\.tools|requested tool does not exist/i,
    cause: 'unknown-tool',
    source: 'https://github.com/mastra-ai/mastra/issues/9688',
  },
  {
    id: 'cerebras-unknown-tool',
    server: 'service',
    pattern: /Tool is not present in the tools list/i,
    cause: 'unknown-tool',
    source: 'https://github.com/vybestack/llxprt-code/issues/221',
  },
  {
    id: 'groq-call',
    server: 'service',
    pattern:
      /Failed to call a function|tool call validation failed|Parsing failed\. The model generated output that could not be parsed|\btool_use_failed\b|\boutput_parse_failed\b/i,
    cause: 'unread-call',
    source: 'https://github.com/groq/groq-typescript/issues/28',
  },
  {
    id: 'bedrock-call',
    server: 'service',
    pattern: /Model produced (?:an )?invalid sequence as part of ToolUse/i,
    cause: 'unread-call',
    source: 'https://github.com/strands-agents/harness-sdk/issues/649',
  },
  {
    id: 'any-call',
    pattern:
      /(?:could not|cannot|can't|couldn't|failed to|unable to|error (?:while )?) ?(?:pars(?:e|ing)|decod(?:e|ing)|extract(?:ing)?|read(?:ing)?) (?:the )?(?:(?:model|assistant)(?:'s)? )?(?:generated )?(?:tool|function)[ _-]?calls?\b|(?:model (?:generated|produced|wrote|returned)|generated) (?:an? )?(?:invalid|malformed|unparsable|unparseable) (?:tool|function)[ _-]?call|(?:tool|function)[ _-]?call(?:s| output)? (?:could not|cannot) be parsed/i,
    cause: 'unread-call',
    isOfReply: true,
    source: 'https://github.com/ollama/ollama/issues/17647',
  },
];
