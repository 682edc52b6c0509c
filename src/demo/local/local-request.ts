// Reads an /api/chat request of the local protocol, with the checks of an Ollama server in its order and its error texts.
// Pure.
import type { Message, ProviderToolCall, ToolType } from '../../types';
import { toGoJsonError } from '../wire/json-errors';
import { readJson } from '../wire/json-text';
import { isJsonObject } from '../wire/json-value';
import type { JsonObject } from '../wire/json-value';
import { checkLocalFields, kindOf } from './local-fields';
import { readKeepAlive } from './local-keep-alive';
import { checkLocalOptions, fromLocalOptions } from './local-options';
import { findScenario } from '../scenarios';
import type { DemoRequest, Scenario } from '../model/scenario';
import { fromResultText, objectsIn, stringIn, toRole } from '../wire/wire-message';
import { WireError } from '../wire/wire-error';

export interface LocalChat {
  request: Omit<DemoRequest, 'attempt'>;
  scenario: Scenario;
  /** As it was sent; the response repeats it. */
  model: string;
  isStreamed: boolean;
  /** Set when the request has no messages: it only loads or unloads the model. */
  loadReason?: 'load' | 'unload' | undefined;
  /** Whether the prompt is asked for instead of a reply. */
  isRenderOnly: boolean;
  /** How long the model stays loaded, in milliseconds; 0 unloads it. */
  keepAliveMs: number;
}

/** @throws {WireError} with the server's status and text */
export function readLocalChat(body: string): LocalChat {
  const chat = readLocalObject(body, 'ChatRequest');
  checkLocalFields(chat);
  const model = readLocalModel(chat);
  const scenario = findScenario(withoutTag(model));
  if (!scenario) throw new WireError(404, `model '${model}' not found`);
  checkThinking(chat, model);
  const options = isJsonObject(chat['options']) ? chat['options'] : {};
  checkLocalOptions(options);
  const messages = objectsIn(chat['messages']).map((message) => fromLocalMessage(message));
  const tools = objectsIn(chat['tools']).map((tool) => fromLocalTool(tool));
  if (messages.length > 0) checkLate(chat, tools);
  const keepAliveMs = readKeepAlive(chat['keep_alive']);
  return {
    request: {
      protocol: 'local',
      model: scenario.name,
      messages,
      tools,
      sampling: fromLocalOptions(options),
    },
    scenario,
    model,
    isStreamed: chat['stream'] !== false,
    loadReason: messages.length > 0 ? undefined : keepAliveMs === 0 ? 'unload' : 'load',
    isRenderOnly: chat['_debug_render_only'] === true,
    keepAliveMs,
  };
}

/** Ignores text after the first JSON value, as the server does. */
export function readLocalObject(body: string, goType: string): JsonObject {
  if (body === '') throw new WireError(400, 'missing request body');
  const read = readJson(body);
  if (!read.ok) throw new WireError(400, toGoJsonError(body, read));
  if (isJsonObject(read.value)) return read.value;
  if (read.value === null) return {};
  throw new WireError(
    400,
    `json: cannot unmarshal ${kindOf(read.value)} into Go value of type api.${goType}`,
  );
}

/** The model's name as it was sent. @throws {WireError} 400 when it is missing or invalid */
export function readLocalModel(body: JsonObject): string {
  const model = body['model'];
  if (typeof model !== 'string' || model === '') throw new WireError(400, 'model is required');
  if (!MODEL_NAME.test(model)) throw new WireError(400, 'invalid model name');
  return model;
}

/** Model names may have up to two folders and a tag. */
export const MODEL_NAME = /^(?:\w[\w.-]*\/){0,2}\w[\w.-]*(?::\w[\w.-]*)?$/;

/** Names are case-insensitive, and `latest` is the default tag; any other tag names another model. */
export function withoutTag(model: string): string {
  return model.toLowerCase().replace(/:latest$/, '');
}

function checkThinking(chat: JsonObject, model: string): void {
  const think = chat['think'];
  if (think !== undefined && think !== null && think !== false) {
    throw new WireError(400, `"${model}" does not support thinking`);
  }
}

/** Checks that in a real server only the runner makes. */
function checkLate(chat: JsonObject, tools: readonly ToolType[]): void {
  const format = chat['format'];
  if (typeof format === 'string' && format !== '' && format !== 'json') {
    const quoted = JSON.stringify(JSON.stringify(format));
    throw new WireError(500, `invalid format: ${quoted}; expected "json" or a valid JSON Schema object`);
  }
  if (tools.every((tool) => isJsonObject(tool.parameters['properties']))) return;
  const message =
    'Unable to generate parser for this template. Automatic parser generation failed: JSON schema error at #: properties must be an object';
  throw new WireError(400, JSON.stringify({ error: { code: 400, message, type: 'invalid_request_error' } }));
}

function fromLocalMessage(message: JsonObject): Message {
  const role = toRole(message['role']);
  const text = typeof message['content'] === 'string' ? message['content'] : '';
  if (role === 'tool') {
    return {
      role,
      ...fromResultText(text),
      toolName: stringIn(message['tool_name']),
      toolCallId: stringIn(message['tool_call_id']),
    };
  }
  const calls = objectsIn(message['tool_calls']).map((call) => fromLocalCall(call));
  return { role, content: text, toolCalls: calls.length > 0 ? calls : undefined };
}

function fromLocalCall(call: JsonObject): ProviderToolCall {
  const called = isJsonObject(call['function']) ? call['function'] : {};
  return {
    id: stringIn(call['id']) ?? '',
    name: stringIn(called['name']) ?? '',
    arguments: called['arguments'] ?? {},
    source: 'native',
  };
}

function fromLocalTool(tool: JsonObject): ToolType {
  const offered = isJsonObject(tool['function']) ? tool['function'] : {};
  return {
    name: stringIn(offered['name']) ?? '',
    description: stringIn(offered['description']),
    parameters: isJsonObject(offered['parameters']) ? offered['parameters'] : {},
  };
}
