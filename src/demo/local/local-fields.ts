// Checks the types of the fields of a local chat request, with the error texts of Go's JSON decoder. Pure.
import { isJsonObject } from '../wire/json-value';
import type { JsonObject } from '../wire/json-value';
import { readKeepAlive } from './local-keep-alive';
import { WireError } from '../wire/wire-error';

type FieldKind = 'string' | 'number' | 'bool' | 'array' | 'object';

const THINK_LEVELS = ['high', 'medium', 'low', 'max'];
const MAX_TOP_LOGPROBS = 20;

/** Null counts as absent. @throws {WireError} 400 for the first invalid field */
export function checkLocalFields(chat: JsonObject): void {
  expectField(chat, 'model', 'string', 'ChatRequest.model of type string');
  expectField(chat, 'messages', 'array', 'ChatRequest.messages of type []api.Message');
  for (const message of itemsOf(chat, 'messages')) checkMessage(message);
  expectField(chat, 'stream', 'bool', 'ChatRequest.stream of type bool');
  expectField(chat, 'tools', 'array', 'ChatRequest.tools of type api.Tools');
  for (const tool of itemsOf(chat, 'tools')) checkTool(tool);
  expectField(chat, 'options', 'object', 'ChatRequest.options of type map[string]interface {}');
  readKeepAlive(chat['keep_alive']);
  checkThink(chat['think']);
  const topLogprobs = chat['top_logprobs'];
  if (typeof topLogprobs === 'number' && (topLogprobs < 0 || topLogprobs > MAX_TOP_LOGPROBS)) {
    throw new WireError(400, `top_logprobs must be between 0 and ${MAX_TOP_LOGPROBS}`);
  }
}

function checkMessage(message: unknown): void {
  expectKind(message, 'object', 'ChatRequest.messages of type api.Message');
  if (!isJsonObject(message)) return;
  expectField(message, 'role', 'string', 'ChatRequest.messages.role of type string');
  expectField(message, 'content', 'string', 'ChatRequest.messages.content of type string');
  expectField(message, 'tool_calls', 'array', 'ChatRequest.messages.tool_calls of type []api.ToolCall');
  for (const call of itemsOf(message, 'tool_calls')) {
    const called = isJsonObject(call) ? call['function'] : undefined;
    const args = isJsonObject(called) ? called['arguments'] : undefined;
    if (args === undefined || args === null || isJsonObject(args)) continue;
    throw new WireError(400, "Value looks like object, but can't find closing '}' symbol");
  }
}

function checkTool(tool: unknown): void {
  expectKind(tool, 'object', 'ChatRequest.tools of type api.Tool');
  const offered = isJsonObject(tool) ? tool['function'] : undefined;
  if (!isJsonObject(offered)) return;
  const place = 'ToolFunction.tools.function';
  expectField(offered, 'name', 'string', `${place}.name of type string`);
  expectField(offered, 'description', 'string', `${place}.description of type string`);
  expectField(offered, 'parameters', 'object', `${place}.parameters of type api.ToolFunctionParameters`);
}

function checkThink(think: unknown): void {
  if (think === undefined || think === null || typeof think === 'boolean') return;
  if (typeof think === 'string' && THINK_LEVELS.includes(think)) return;
  throw new WireError(
    400,
    `invalid think value: ${JSON.stringify(think)} (must be "high", "medium", "low", "max", true, or false)`,
  );
}

/** @param place Go's name of the field, and its type. @throws {WireError} 400 with Go's error text */
export function expectField(owner: JsonObject, key: string, kind: FieldKind, place: string): void {
  expectKind(owner[key], kind, place);
}

function expectKind(value: unknown, kind: FieldKind, place: string): void {
  if (value === undefined || value === null || kindOf(value) === kind) return;
  throw new WireError(400, `json: cannot unmarshal ${kindOf(value)} into Go struct field ${place}`);
}

function itemsOf(owner: JsonObject, key: string): readonly unknown[] {
  const value = owner[key];
  return Array.isArray(value) ? value : [];
}

/** The kind of a JSON value, as Go names it. */
export function kindOf(value: unknown): FieldKind {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'number';
    case 'boolean':
      return 'bool';
    default:
      return 'object';
  }
}
