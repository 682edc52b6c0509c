// Checks the fields of a Responses request, with the error texts of OpenAI's service where they are known. Knows nothing of the
// items of the input. Pure.
import { isOfKind, kindOfField } from '../wire/field-kinds';
import type { FieldKind, FieldKinds } from '../wire/field-kinds';
import { isJsonObject } from '../wire/json-value';
import type { JsonObject } from '../wire/json-value';
import { numberIn, objectsIn, stringIn } from '../wire/wire-message';
import { refuseField, refuseMissing, refuseType, refuseUnknown, refuseValue } from './responses-faults';

const PROMPT_FIELDS: FieldKinds = {
  model: 'string',
  input: 'any',
  instructions: 'string',
  previous_response_id: 'string',
  conversation: 'any',
  parallel_tool_calls: 'boolean',
  tools: 'list',
  tool_choice: 'any',
  reasoning: 'dictionary',
  text: 'dictionary',
  truncation: 'string',
};

const REPLY_FIELDS: FieldKinds = {
  max_output_tokens: 'integer',
  temperature: 'number',
  top_p: 'number',
  top_logprobs: 'integer',
  max_tool_calls: 'integer',
  stream: 'boolean',
  stream_options: 'dictionary',
  store: 'boolean',
  background: 'boolean',
  include: 'list',
  metadata: 'dictionary',
  prompt: 'dictionary',
  prompt_cache_key: 'string',
  prompt_cache_options: 'dictionary',
  prompt_cache_retention: 'string',
  context_management: 'list',
  moderation: 'dictionary',
  safety_identifier: 'string',
  service_tier: 'string',
  user: 'string',
};

const KIND_NAMES: Readonly<Record<FieldKind, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a decimal',
  boolean: 'a boolean',
  list: 'an array',
  dictionary: 'an object',
  any: 'any value',
};

const RANGES: Readonly<Record<string, readonly [number, number, string]>> = {
  temperature: [0, 2, 'decimal'],
  top_p: [0, 1, 'decimal'],
  top_logprobs: [0, 20, 'integer'],
  max_output_tokens: [16, Infinity, 'integer'],
};

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const TOOL_CHOICES = ['none', 'auto', 'required'];
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'];
const SUMMARIES = ['auto', 'concise', 'detailed'];
const FORMATS = ['text', 'json_object', 'json_schema'];
const TRUNCATIONS = ['auto', 'disabled'];

/** The fields of a request for a reply; null counts as absent. @throws {WireError} for the first invalid field */
export function checkReplyFields(chat: JsonObject): void {
  checkFields(chat, { ...PROMPT_FIELDS, ...REPLY_FIELDS });
  for (const [key, [least, most, kind]] of Object.entries(RANGES)) {
    const value = numberIn(chat[key]);
    if (value !== undefined && value < least) refuseRange(key, value, kind, `>= ${least}`);
    if (value !== undefined && value > most) refuseRange(key, value, kind, `<= ${most}`);
  }
  if (chat['background'] === true) {
    refuseField('Background mode is not supported with this model.', 'background');
  }
  if (isAsked(chat)) {
    const refused = ['temperature', 'top_p'].find((key) => numberIn(chat[key]) !== undefined);
    if (refused !== undefined) {
      refuseField(`Unsupported parameter: '${refused}' is not supported with this model.`, refused);
    }
  }
}

/** The fields of a request for a count of tokens. @throws {WireError} for the first invalid field */
export const checkCountFields = (chat: JsonObject): void => checkFields(chat, PROMPT_FIELDS);

/** Whether the request asks for reasoning. Without an effort the scripted models do not reason. */
export function isAsked(chat: JsonObject): boolean {
  const effort = isJsonObject(chat['reasoning']) ? stringIn(chat['reasoning']['effort']) : undefined;
  return effort !== undefined && effort !== 'none';
}

function checkFields(chat: JsonObject, fields: FieldKinds): void {
  for (const [key, value] of Object.entries(chat)) {
    const kind = kindOfField(fields, key) ?? refuseUnknown(key);
    if (value !== null && !isOfKind(value, kind)) refuseType(key, KIND_NAMES[kind], value);
  }
  if (stringIn(chat['model']) === undefined) refuseMissing('model');
  checkNested(chat);
  const tools: unknown[] = Array.isArray(chat['tools']) ? chat['tools'] : [];
  for (const [index, tool] of tools.entries()) checkTool(tool, `tools[${index}]`);
  checkToolChoice(chat['tool_choice'], objectsIn(tools));
}

function checkNested(chat: JsonObject): void {
  const reasoning = isJsonObject(chat['reasoning']) ? chat['reasoning'] : {};
  checkChoice(reasoning['effort'], 'reasoning.effort', EFFORTS);
  checkChoice(reasoning['summary'], 'reasoning.summary', SUMMARIES);
  checkChoice(chat['truncation'], 'truncation', TRUNCATIONS);
  const text = isJsonObject(chat['text']) ? chat['text'] : {};
  const format = isJsonObject(text['format']) ? text['format'] : {};
  checkChoice(format['type'], 'text.format.type', FORMATS);
  if (format['type'] !== 'json_schema') return;
  for (const key of ['name', 'schema']) {
    if (format[key] === undefined) refuseMissing(`text.format.${key}`);
  }
}

function checkChoice(value: unknown, param: string, supported: readonly string[]): void {
  if (value === undefined || value === null) return;
  if (typeof value !== 'string' || !supported.includes(value)) refuseValue(param, value, supported);
}

function refuseRange(param: string, value: number, kind: string, expected: string): never {
  const isBelow = expected.startsWith('>');
  const side = isBelow ? 'below minimum' : 'above maximum';
  refuseField(
    `Invalid '${param}': ${kind} ${side} value. Expected a value ${expected}, but got ${value} instead.`,
    param,
    `${kind}_${isBelow ? 'below_min' : 'above_max'}_value`,
  );
}

function checkTool(tool: unknown, param: string): void {
  if (!isJsonObject(tool)) return refuseType(param, 'an object', tool);
  const { type, name, parameters, strict } = tool;
  if (type === undefined) refuseMissing(`${param}.type`);
  if (type !== 'function') {
    refuseField(`Hosted tool '${String(type)}' is not supported with this model.`, 'tools');
  }
  if (name === undefined) refuseMissing(`${param}.name`);
  if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
    const pattern = `Expected a string that matches the pattern '${TOOL_NAME.source}'.`;
    refuseField(
      `Invalid '${param}.name': string does not match pattern. ${pattern}`,
      `${param}.name`,
      'invalid_value',
    );
  }
  if (parameters !== undefined && parameters !== null && !isJsonObject(parameters)) {
    refuseType(`${param}.parameters`, 'an object', parameters);
  }
  const fault = strict === true ? findStrictFault(parameters) : undefined;
  if (fault === undefined) return;
  refuseField(
    `Invalid schema for function '${name}': ${fault}`,
    `${param}.parameters`,
    'invalid_function_parameters',
  );
}

/** Why a schema cannot be followed strictly. A tool that does not say whether it is strict is strict if its schema fits. */
export function findStrictFault(schema: unknown, context: readonly string[] = []): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  const at = `In context=(${context.map((name) => `'${name}'`).join(', ')})`;
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  if (schema['type'] === 'object') {
    if (schema['additionalProperties'] !== false) {
      return `${at}, 'additionalProperties' is required to be supplied and to be false.`;
    }
    const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
    const missing = Object.keys(properties).find((key) => !required.includes(key));
    if (missing !== undefined) {
      return `${at}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
    }
  }
  for (const [name, property] of Object.entries(properties)) {
    const fault = findStrictFault(property, [...context, 'properties', name]);
    if (fault !== undefined) return fault;
  }
  return findStrictFault(schema['items'], [...context, 'items']);
}

function checkToolChoice(choice: unknown, tools: readonly JsonObject[]): void {
  if (choice === undefined || choice === null) return;
  if (typeof choice === 'string') {
    if (!TOOL_CHOICES.includes(choice)) refuseValue('tool_choice', choice, TOOL_CHOICES);
    if (choice === 'required' && tools.length === 0) {
      refuseField("Tool choice 'required' must be specified with 'tools' parameter.", 'tool_choice');
    }
    return;
  }
  if (!isJsonObject(choice)) return refuseType('tool_choice', 'an object or a string', choice);
  const { type } = choice;
  if (type !== 'function' && type !== 'allowed_tools') {
    refuseValue('tool_choice.type', type, ['function', 'allowed_tools']);
  }
  // The shape of chat completions, which is easily mistaken for this one.
  if (choice['function'] !== undefined) refuseUnknown('tool_choice.function');
  const named = type === 'function' ? [choice] : objectsIn(choice['tools']);
  for (const { name } of named) {
    if (name === undefined) refuseMissing('tool_choice.name');
    if (!tools.some((tool) => tool['name'] === name)) {
      refuseField(`Tool choice '${String(name)}' not found in 'tools' parameter.`, 'tool_choice');
    }
  }
}
