// Checks the types of the fields of a hosted chat request, with llama-server's error texts. Pure.
import { isJsonObject } from '../wire/json-value';
import type { JsonObject } from '../wire/json-value';
import { objectsIn } from '../wire/wire-message';
import { WireError } from '../wire/wire-error';

const NUMBERS = [
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'seed',
  'n',
  'presence_penalty',
  'frequency_penalty',
  'repeat_penalty',
];

const TOOL_CHOICES = ['none', 'auto', 'required'];
const RESPONSE_FORMATS = ['text', 'json_object', 'json_schema'];
const SCHEMA_TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
const MAX_SCHEMA_DEPTH = 64;

/** Null counts as absent. @throws {WireError} 400 for the first invalid field */
export function checkHostedFields(chat: JsonObject): void {
  for (const key of NUMBERS) expectType(chat, key, 'number');
  expectType(chat, 'stream', 'boolean');
  const messages = chat['messages'];
  if (messages === undefined) throw new WireError(400, "'messages' is required");
  if (!Array.isArray(messages)) throw new WireError(400, "Expected 'messages' to be an array");
  const choice = chat['tool_choice'];
  if (typeof choice === 'string' && !TOOL_CHOICES.includes(choice)) {
    throw new WireError(400, `Invalid tool_choice: ${choice}`);
  }
  const format = isJsonObject(chat['response_format']) ? chat['response_format']['type'] : undefined;
  if (typeof format === 'string' && !RESPONSE_FORMATS.includes(format)) {
    throw new WireError(
      400,
      `response_format type must be one of "text" or "json_object", but got: ${format}`,
    );
  }
}

/** @throws {WireError} 400 for invalid content, 500 for what llama-server notices only while it renders the prompt */
export function checkHostedMessage(message: JsonObject): void {
  const content = message['content'];
  const role = message['role'];
  if (role !== 'assistant' && content === undefined) {
    throw new WireError(400, "All non-assistant messages must contain 'content'");
  }
  if (content !== undefined && content !== null && typeof content !== 'string' && !Array.isArray(content)) {
    throw new WireError(400, "Expected 'content' to be a string or an array");
  }
  if (objectsIn(content).some((part) => part['type'] === 'image_url')) {
    const hint = 'hint: if this is unexpected, you may need to provide the mmproj';
    throw new WireError(500, `image input is not supported - ${hint}`, 'server_error');
  }
  if (typeof role !== 'string') {
    const text = `Failed to parse messages: Missing 'role' in message: ${JSON.stringify(message)}`;
    throw new WireError(500, text, 'server_error');
  }
}

/** @throws {WireError} 500 for an unknown kind of tool, 400 for a schema that cannot be compiled to a grammar */
export function checkHostedTools(tools: unknown): void {
  for (const tool of objectsIn(tools)) {
    if (tool['type'] !== 'function') {
      const listed = JSON.stringify(tools, null, 2);
      const text = `Failed to parse tools: Unsupported tool type: ${JSON.stringify(tool)}; tools = ${listed}`;
      throw new WireError(500, text, 'server_error');
    }
    const offered = isJsonObject(tool['function']) ? tool['function'] : {};
    checkSchema(offered['parameters'], '#', 0);
  }
}

function checkSchema(schema: unknown, pointer: string, depth: number): void {
  if (!isJsonObject(schema) || depth > MAX_SCHEMA_DEPTH) return;
  const type = schema['type'];
  if (typeof type === 'string' && !SCHEMA_TYPES.includes(type)) {
    const cause = `JSON schema error at ${pointer}: unrecognized type ${type}`;
    throw new WireError(
      400,
      `Unable to generate parser for this template. Automatic parser generation failed: ${cause}`,
    );
  }
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  for (const [name, property] of Object.entries(properties)) {
    checkSchema(property, `${pointer}/properties/${name}`, depth + 1);
  }
  checkSchema(schema['items'], `${pointer}/items`, depth + 1);
}

function expectType(chat: JsonObject, key: string, expected: 'number' | 'boolean'): void {
  const value = chat[key];
  if (value === undefined || value === null || typeof value === expected) return;
  const found = Array.isArray(value) ? 'array' : typeof value;
  throw new WireError(
    400,
    `Field '${key}': [json.exception.type_error.302] type must be ${expected}, but is ${found}`,
  );
}
