// Checks the fields of a Messages request, with the error texts of Anthropic's service where they are known. Knows nothing of
// the blocks inside messages. Pure.
import { isOfKind, kindOfField } from '../wire/field-kinds';
import type { FieldKinds } from '../wire/field-kinds';
import { isJsonObject } from '../wire/json-value';
import type { JsonObject } from '../wire/json-value';
import { numberIn, objectsIn, stringIn } from '../wire/wire-message';
import { refuse } from '../wire/wire-error';

const PROMPT_FIELDS: FieldKinds = {
  model: 'string',
  messages: 'list',
  system: 'any',
  tools: 'list',
  tool_choice: 'dictionary',
  thinking: 'dictionary',
  output_config: 'dictionary',
  cache_control: 'dictionary',
  speed: 'string',
  user_profile_id: 'string',
  workspace_id: 'string',
};

const REPLY_FIELDS: FieldKinds = {
  max_tokens: 'integer',
  stream: 'boolean',
  temperature: 'number',
  top_p: 'number',
  top_k: 'integer',
  stop_sequences: 'list',
  metadata: 'dictionary',
  service_tier: 'string',
  container: 'any',
  diagnostics: 'dictionary',
  inference_geo: 'string',
};

const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  temperature: [0, 1],
  top_p: [0, 1],
  top_k: [0, Infinity],
  max_tokens: [0, Infinity],
};

/** What a model may generate in one reply, as of the newest models that still take sampling parameters. */
export const MAX_OUTPUT_TOKENS = 128_000;

const MIN_THINKING_TOKENS = 1024;
const MIN_THINKING_TOP_P = 0.95;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const PROPERTY_KEY = /^[a-zA-Z0-9_.-]{1,64}$/;
const THINKING_TYPES = ['enabled', 'adaptive', 'disabled'];
const TOOL_CHOICES = ['auto', 'any', 'tool', 'none'];

/** The fields of a request for a reply; null counts as absent. @throws {WireError} 400 for the first invalid field */
export function checkReplyFields(chat: JsonObject): void {
  checkFields(chat, { ...PROMPT_FIELDS, ...REPLY_FIELDS }, ['model', 'max_tokens', 'messages']);
  for (const [key, [least, most]] of Object.entries(RANGES)) {
    const value = numberIn(chat[key]) ?? least;
    if (value < least) refuse(`${key}: Input should be greater than or equal to ${least}`);
    if (value > most) refuse(`${key}: Input should be less than or equal to ${most}`);
  }
  const maxTokens = numberIn(chat['max_tokens']) ?? 0;
  if (maxTokens > MAX_OUTPUT_TOKENS) {
    const limit = `${MAX_OUTPUT_TOKENS}, which is the maximum allowed number of output tokens`;
    refuse(`max_tokens: ${maxTokens} > ${limit} for ${String(chat['model'])}`);
  }
  if (numberIn(chat['temperature']) !== undefined && numberIn(chat['top_p']) !== undefined) {
    refuse('`temperature` and `top_p` cannot both be specified for this model. Please use only one.');
  }
  checkStopSequences(chat['stop_sequences']);
  checkThinking(chat, maxTokens);
}

/** The fields of a request for a count of tokens. @throws {WireError} 400 for the first invalid field */
export function checkCountFields(chat: JsonObject): void {
  checkFields(chat, PROMPT_FIELDS, ['model', 'messages']);
}

function checkFields(chat: JsonObject, fields: FieldKinds, required: readonly string[]): void {
  const missing = required.find((key) => chat[key] === undefined);
  if (missing !== undefined) refuse(`${missing}: Field required`);
  for (const [key, value] of Object.entries(chat)) {
    const kind = kindOfField(fields, key) ?? refuse(`${key}: Extra inputs are not permitted`);
    if (value === null && !required.includes(key)) continue;
    if (!isOfKind(value, kind)) refuse(`${key}: Input should be a valid ${kind}`);
  }
  checkTools(chat);
}

function checkStopSequences(stop: unknown): void {
  for (const [index, sequence] of (Array.isArray(stop) ? stop : []).entries()) {
    if (typeof sequence !== 'string') {
      refuse(`stop_sequences.${index}: Input should be a valid string`);
    }
    if (sequence.trim() === '') {
      refuse(`stop_sequences.${index}: each stop sequence must contain non-whitespace`);
    }
  }
}

function checkThinking(chat: JsonObject, maxTokens: number): void {
  if (!isJsonObject(chat['thinking'])) return;
  const { type, budget_tokens: budget } = chat['thinking'];
  if (typeof type !== 'string' || !THINKING_TYPES.includes(type)) {
    refuse(`thinking.type: Input should be ${quoteList(THINKING_TYPES)}`);
  }
  if (type === 'disabled') return;
  if (type === 'enabled') {
    if (budget === undefined) refuse('thinking.enabled.budget_tokens: Field required');
    if (typeof budget !== 'number' || budget < MIN_THINKING_TOKENS) {
      refuse(
        `thinking.enabled.budget_tokens: Input should be greater than or equal to ${MIN_THINKING_TOKENS}`,
      );
    }
    if (budget >= maxTokens) refuse('`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
  checkBesideThinking(chat);
}

/** What a request that asks for thinking may not have. */
function checkBesideThinking(chat: JsonObject): void {
  const when = 'when thinking is enabled or in adaptive mode';
  if ((numberIn(chat['temperature']) ?? 1) !== 1) refuse(`\`temperature\` may only be set to 1 ${when}.`);
  if (numberIn(chat['top_k']) !== undefined) refuse(`\`top_k\` must be unset ${when}.`);
  if ((numberIn(chat['top_p']) ?? 1) < MIN_THINKING_TOP_P) {
    refuse(`\`top_p\` must be greater than or equal to ${MIN_THINKING_TOP_P} or unset ${when}.`);
  }
  const choice = isJsonObject(chat['tool_choice']) ? chat['tool_choice']['type'] : undefined;
  if (choice === 'any' || choice === 'tool') {
    refuse('Thinking may not be enabled when tool_choice forces tool use.');
  }
}

function checkTools(chat: JsonObject): void {
  const tools: unknown[] = Array.isArray(chat['tools']) ? chat['tools'] : [];
  for (const [index, tool] of tools.entries()) checkTool(tool, index);
  const names = objectsIn(tools).map((tool) => tool['name']);
  if (new Set(names).size < names.length) refuse('tools: Tool names must be unique.');
  if (isJsonObject(chat['tool_choice'])) checkToolChoice(chat['tool_choice'], names);
}

function checkTool(tool: unknown, index: number): void {
  if (!isJsonObject(tool)) refuse(`tools.${index}: Input should be a valid dictionary`);
  const type = stringIn(tool['type']) ?? 'custom';
  if (type !== 'custom') {
    const found = `Input tag '${type}' found using 'type' does not match any of the expected tags: 'custom'`;
    refuse(`tools.${index}: ${found}`);
  }
  const at = `tools.${index}.custom`;
  const { name, input_schema: schema } = tool;
  if (name === undefined) refuse(`${at}.name: Field required`);
  if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
    refuse(`${at}.name: String should match pattern '${TOOL_NAME.source}'`);
  }
  if (schema === undefined) refuse(`${at}.input_schema: Field required`);
  if (!isJsonObject(schema)) refuse(`${at}.input_schema: Input should be a valid dictionary`);
  if (schema['type'] === undefined) refuse(`${at}.input_schema.type: Field required`);
  if (schema['type'] !== 'object') refuse(`${at}.input_schema.type: Input should be 'object'`);
  if (['oneOf', 'allOf', 'anyOf'].some((key) => schema[key] !== undefined)) {
    refuse(`${at}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`);
  }
  const keys = Object.keys(isJsonObject(schema['properties']) ? schema['properties'] : {});
  if (!keys.every((key) => PROPERTY_KEY.test(key))) {
    refuse(`${at}.input_schema.properties: Property keys should match pattern '${PROPERTY_KEY.source}'`);
  }
}

function checkToolChoice(choice: JsonObject, names: readonly unknown[]): void {
  const type = stringIn(choice['type']);
  if (type === undefined || !TOOL_CHOICES.includes(type)) {
    refuse(`tool_choice.type: Input should be ${quoteList(TOOL_CHOICES)}`);
  }
  if (names.length === 0) {
    refuse('tool_choice: tool_choice may only be specified while providing tools.');
  }
  if (type === 'tool' && !names.includes(choice['name'])) {
    refuse(`Tool '${String(choice['name'])}' not found in provided tools`);
  }
}

const quoteList = (words: readonly string[]): string =>
  `${words
    .slice(0, -1)
    .map((word) => `'${word}'`)
    .join(', ')} or '${words.at(-1) ?? ''}'`;
