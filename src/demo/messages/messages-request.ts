// Reads a Messages request into what the scripted models read. Pure.
import type { Message, ToolType } from '../../types';
import { findScenario } from '../scenarios';
import type { DemoRequest } from '../model/scenario';
import { toOrjsonError } from '../wire/json-errors';
import { readJson } from '../wire/json-text';
import { isJsonObject } from '../wire/json-value';
import type { JsonObject } from '../wire/json-value';
import { numberIn, objectsIn, stringIn } from '../wire/wire-message';
import { refuse, WireError } from '../wire/wire-error';
import { checkCountFields, checkReplyFields } from './messages-fields';
import { hasToolBlocks, readText, readTurns } from './messages-turns';

export interface MessagesChat {
  request: Omit<DemoRequest, 'attempt'>;
  isStreamed: boolean;
  /** `display: omitted`: thinking blocks have a signature and no text. */
  isThinkingHidden: boolean;
  /** Whether the request marks a part of the prompt for the cache; without a mark nothing is cached. */
  isCached: boolean;
}

/** @throws {WireError} with the service's status and text */
export function readMessagesChat(body: string): MessagesChat {
  const chat = readObject(body);
  checkReplyFields(chat);
  const thinking = isJsonObject(chat['thinking']) ? chat['thinking'] : {};
  const choice = isJsonObject(chat['tool_choice']) ? chat['tool_choice'] : {};
  const stop = Array.isArray(chat['stop_sequences']) ? chat['stop_sequences'] : [];
  return {
    request: {
      protocol: 'messages',
      ...readPrompt(chat, thinking['type'] === 'enabled'),
      tools: toOfferedTools(chat, choice),
      sampling: {
        temperature: numberIn(chat['temperature']),
        topP: numberIn(chat['top_p']),
        topK: numberIn(chat['top_k']),
        maxTokens: numberIn(chat['max_tokens']),
        stop: stop.filter((sequence) => typeof sequence === 'string'),
      },
      isCallRequired: choice['type'] === 'any' || choice['type'] === 'tool',
      isCallSingle: choice['disable_parallel_tool_use'] === true,
      isReasoningAsked: thinking['type'] === 'enabled' || thinking['type'] === 'adaptive',
    },
    isStreamed: chat['stream'] === true,
    isThinkingHidden: thinking['display'] === 'omitted',
    isCached: hasCacheMark(chat),
  };
}

/** A request for a count of tokens: the prompt, and nothing about the reply. @throws {WireError} as for a chat */
export function readCountedPrompt(body: string): Pick<DemoRequest, 'messages' | 'tools'> {
  const chat = readObject(body);
  checkCountFields(chat);
  return { ...readPrompt(chat, false), tools: objectsIn(chat['tools']).map((tool) => fromTool(tool)) };
}

function readObject(body: string): JsonObject {
  const read = readJson(body);
  if (!read.ok) {
    refuse(`The request body is not valid JSON: ${toOrjsonError(body, read)}`);
  }
  if (!isJsonObject(read.value)) refuse('Input should be a valid dictionary');
  return read.value;
}

function readPrompt(chat: JsonObject, isThinkingKept: boolean): { model: string; messages: Message[] } {
  const model = String(chat['model']);
  const scenario = findScenario(model);
  if (!scenario || scenario.isEmbedder) throw new WireError(404, `model: ${model}`);
  const sent: unknown[] = Array.isArray(chat['messages']) ? chat['messages'] : [];
  if (hasToolBlocks(sent) && objectsIn(chat['tools']).length === 0) {
    refuse('Requests which include `tool_use` or `tool_result` blocks must define tools');
  }
  const system = readText(chat['system'], 'system');
  const messages = readTurns(sent, isThinkingKept);
  return { model, messages: system === '' ? messages : [{ role: 'system', content: system }, ...messages] };
}

/** The tools that the model may call. */
function toOfferedTools(chat: JsonObject, choice: JsonObject): ToolType[] {
  if (choice['type'] === 'none') return [];
  const tools = objectsIn(chat['tools']).map((tool) => fromTool(tool));
  return choice['type'] === 'tool' ? tools.filter(({ name }) => name === choice['name']) : tools;
}

function fromTool(tool: JsonObject): ToolType {
  return {
    name: stringIn(tool['name']) ?? '',
    description: stringIn(tool['description']),
    parameters: isJsonObject(tool['input_schema']) ? tool['input_schema'] : {},
  };
}

/** In the request itself, in a tool, in the system prompt, or in a block of a message. */
function hasCacheMark(chat: JsonObject): boolean {
  const blocks = objectsIn(chat['messages']).flatMap((message) => objectsIn(message['content']));
  const places = [chat, ...objectsIn(chat['tools']), ...objectsIn(chat['system']), ...blocks];
  return places.some((place) => isJsonObject(place['cache_control']));
}
