// Reads a chat/completions request of the hosted protocol, with the checks and error texts of llama-server. Pure.
import type { Message, ProviderToolCall, SamplingParams, ToolType } from '../../types';
import { checkHostedFields, checkHostedMessage, checkHostedTools } from './hosted-fields';
import { toNlohmannError, toNlohmannTrailingError } from '../wire/json-errors';
import { readJson } from '../wire/json-text';
import { isJsonObject } from '../wire/json-value';
import type { JsonObject } from '../wire/json-value';
import { findScenario } from '../scenarios';
import type { DemoRequest, Scenario } from '../model/scenario';
import { fromResultText, numberIn, objectsIn, stringIn, toRole } from '../wire/wire-message';
import { WireError } from '../wire/wire-error';

export interface HostedChat {
  request: Omit<DemoRequest, 'attempt'>;
  isStreamed: boolean;
  hasStreamUsage: boolean;
  /** `tool_choice: "none"`: calls in the model's text are not parsed, so they stay in the content. */
  areCallsText: boolean;
  /** Number of choices to return; a scripted model gives the same text in each. */
  choices: number;
}

const MAX_CHOICES = 16;

/** @throws {WireError} with the server's status, text and type */
export function readHostedChat(body: string): HostedChat {
  const chat = readHostedObject(body);
  checkHostedFields(chat);
  const messages = objectsIn(chat['messages']).map((message) => fromHostedMessage(message));
  checkHostedTools(chat['tools']);
  const tools = objectsIn(chat['tools']).map((tool) => fromHostedTool(tool));
  const model = readHostedModel(chat).name;
  const streamOptions = isJsonObject(chat['stream_options']) ? chat['stream_options'] : {};
  return {
    request: {
      protocol: 'hosted',
      model,
      messages,
      tools,
      sampling: fromHostedSampling(chat),
      isCallRequired: chat['tool_choice'] === 'required' || isJsonObject(chat['tool_choice']),
    },
    isStreamed: chat['stream'] === true,
    hasStreamUsage: streamOptions['include_usage'] === true,
    areCallsText: chat['tool_choice'] === 'none',
    choices: Math.min(MAX_CHOICES, Math.max(1, Math.trunc(numberIn(chat['n']) ?? 1))),
  };
}

/** @throws {WireError} 400 for a body that is not JSON */
export function readHostedObject(body: string): JsonObject {
  const read = readJson(body);
  if (!read.ok) throw new WireError(400, toNlohmannError(body, read));
  const rest = body.slice(read.end).trimStart();
  if (rest !== '') throw new WireError(400, toNlohmannTrailingError(body, body.length - rest.length));
  return isJsonObject(read.value) ? read.value : {};
}

/** A server with several models requires the name; the error texts are those of llama-server in that mode. */
export function readHostedModel(body: JsonObject): Scenario {
  const model = stringIn(body['model']) ?? '';
  if (model === '') throw new WireError(400, 'model name is missing from the request');
  const scenario = findScenario(model);
  if (!scenario) throw new WireError(404, `model '${model}' not found`, 'not_found_error');
  return scenario;
}

function fromHostedMessage(message: JsonObject): Message {
  checkHostedMessage(message);
  const role = toRole(message['role']);
  const text = textOf(message['content']);
  if (role === 'tool')
    return { role, ...fromResultText(text), toolCallId: stringIn(message['tool_call_id']) };
  const calls = objectsIn(message['tool_calls']).map((call) => fromHostedCall(call));
  return { role, content: text, toolCalls: calls.length > 0 ? calls : undefined };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map((part) => stringIn(part['text']) ?? '')
    .join('\n');
}

/** The arguments are JSON text; llama-server accepts an object too. */
function fromHostedCall(call: JsonObject): ProviderToolCall {
  const called = isJsonObject(call['function']) ? call['function'] : {};
  const args = called['arguments'];
  return {
    id: stringIn(call['id']) ?? '',
    name: stringIn(called['name']) ?? '',
    arguments: typeof args === 'string' ? parseArguments(args) : (args ?? {}),
    source: 'native',
  };
}

function parseArguments(text: string): unknown {
  if (text === '') return {};
  const read = readJson(text);
  if (read.ok) return read.value;
  throw new WireError(
    500,
    `Failed to parse tool call arguments as JSON: ${toNlohmannError(text, read)}`,
    'server_error',
  );
}

function fromHostedTool(tool: JsonObject): ToolType {
  const offered = isJsonObject(tool['function']) ? tool['function'] : {};
  return {
    name: stringIn(offered['name']) ?? '',
    description: stringIn(offered['description']),
    parameters: isJsonObject(offered['parameters']) ? offered['parameters'] : {},
  };
}

function fromHostedSampling(chat: JsonObject): SamplingParams {
  const stop = chat['stop'];
  return {
    temperature: numberIn(chat['temperature']),
    topP: numberIn(chat['top_p']),
    topK: numberIn(chat['top_k']),
    seed: numberIn(chat['seed']),
    maxTokens: numberIn(chat['max_tokens']) ?? numberIn(chat['max_completion_tokens']),
    stop: Array.isArray(stop)
      ? stop.filter((sequence) => typeof sequence === 'string')
      : typeof stop === 'string'
        ? [stop]
        : undefined,
    repeatPenalty: numberIn(chat['repeat_penalty']),
  };
}
