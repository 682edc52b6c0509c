// What servers and services say when they refuse a tool: its schema, or its name. Pure data. Which tool and which parameter it
// is, the diagnosis reads in the message and in the request.
import type { ServerWords } from './words-entry';

const refused = { cause: 'refused-schema' } as const;

export const SCHEMA_WORDS: readonly ServerWords[] = [
  {
    id: 'llama-schema',
    server: 'llama-server',
    pattern: /JSON schema conversion failed|error resolving ref #|unrecognized schema: /i,
    ...refused,
    source: 'https://github.com/containers/kubernetes-mcp-server/issues/758',
  },
  {
    // llama-server makes one grammar of all tools; LM Studio and Ollama run it.
    id: 'llama-tool-grammar',
    server: 'llama-server',
    pattern: /failed to (?:parse|initialize|compile) grammar|error parsing grammar/i,
    ...refused,
    source: 'https://github.com/codefuturist/email-mcp/issues/58',
  },
  {
    id: 'llama-tools',
    server: 'llama-server',
    pattern: /Failed to parse tools/i,
    ...refused,
    source: 'https://github.com/VirtusLab/llm-tools-mcp/issues/51',
  },
  {
    id: 'vllm-grammar',
    server: 'vllm',
    pattern:
      /JSON schema contains features not supported by|grammar error: (?:unknown|unimplemented|unsupported|invalid)/i,
    ...refused,
    source: 'https://github.com/vllm-project/vllm/issues/16321',
  },
  {
    id: 'ollama-field',
    server: 'ollama',
    pattern: /cannot unmarshal \w+ into Go struct field [\w.]*tools\.function\b/i,
    ...refused,
    source: 'https://github.com/ollama/ollama/issues/10164',
  },
  {
    id: 'openai-function',
    server: 'service',
    pattern: /invalid (?:json )?schema for (?:function|tool)\b|invalid_function_parameters/i,
    ...refused,
    source: 'https://github.com/evalstate/fast-agent/issues/143',
  },
  {
    id: 'vertex-declaration',
    server: 'service',
    pattern: /function ?declaration\b[^]{0,120}\bschema\b/i,
    ...refused,
    source: 'https://github.com/googleapis/js-genai/issues/625',
  },
  {
    id: 'moonshot-schema',
    server: 'service',
    pattern:
      /tools?\.function\.parameters[^]{0,80}(?:json schema|is required|must be)|conflict in schema definitions/i,
    ...refused,
    source: 'https://github.com/abhigyanpatwari/GitNexus/issues/2703',
  },
  {
    id: 'function-name',
    server: 'service',
    pattern:
      /(?<!messages?[^]{0,60})\b(?:function|tool) name (?:is )?invalid|invalid (?:function|tool) name/i,
    ...refused,
    source: 'https://github.com/MoonshotAI/kimi-cli/issues/2531',
  },
  {
    // OpenAI, Groq, Anthropic, Gemini, Bedrock, Mistral, Cerebras: the path of the tool in the request.
    id: 'tool-path',
    server: 'service',
    pattern:
      /\btools(?:\[\d{1,4}\]|\.\d{1,4})\.(?:member\.)?(?:function\b(?!\.(?:strict|description))|custom|function_?declarations|toolSpec|parameters|input_?schema|name)/i,
    ...refused,
    source: 'https://github.com/cline/cline/issues/7339',
  },
];

/** Stands at the end of the table: words that others use for other things too. Not about the form of a reply, or a message. */
export const ANY_SCHEMA_WORDS: readonly ServerWords[] = [
  {
    id: 'any-tool-schema',
    pattern:
      /^(?![^]*(?:response_format|messages?[.[]))[^]*?(?:(?:invalid|unsupported|malformed)[^.]{0,30}\b(?:tool|function)s?\b[^.]{0,30}\b(?:schemas?|parameters|grammar|definitions?|declarations?)\b|\b(?:tool|function)s?\b[^.]{0,40}\b(?:schemas?|parameters|definitions?|declarations?)\b[^.]{0,40}\b(?:invalid|unsupported|not (?:valid|supported|allowed))|unsupported (?:json )?schema (?:field|keyword|feature)s?|invalid json schema)/i,
    ...refused,
    source: 'https://github.com/ggml-org/llama.cpp/issues/14227',
  },
];
