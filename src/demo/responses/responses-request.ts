// Reads a Responses request into what the scripted models read. Pure.
import type { Message, ToolType } from '../../types';
import { findScenario } from '../scenarios';
import type { DemoRequest } from '../model/scenario';
import { readJson } from '../wire/json-text';
import { isJsonObject } from '../wire/json-value';
import type { JsonObject } from '../wire/json-value';
import { numberIn, objectsIn, stringIn } from '../wire/wire-message';
import { refuse } from '../wire/wire-error';
import { refuseField, refuseMissing, refuseType } from './responses-faults';
import { checkCountFields, checkReplyFields, isAsked } from './responses-fields';
import { readItems } from './responses-items';
import type { StoredResponses } from './stored-responses';

export interface ResponsesChat {
  request: Omit<DemoRequest, 'attempt'>;
  isStreamed: boolean;
  /** Whether deltas have a field of random text that hides their length. */
  isObfuscated: boolean;
  /** Whether reasoning comes with a summary; without one it is only encrypted. */
  hasSummary: boolean;
  /** Whether the response is kept; true unless the request says otherwise. */
  isStored: boolean;
  /** The input, after that of the response it goes on from. */
  items: readonly unknown[];
  /** The request as it was sent; the response repeats parts of it. */
  sent: JsonObject;
}

type Prompt = Pick<DemoRequest, 'model' | 'messages' | 'tools'>;

/** @throws {WireError} with the service's status and text */
export function readResponsesChat(body: string, stored: StoredResponses): ResponsesChat {
  const sent = readObject(body);
  checkReplyFields(sent);
  const { items, ...prompt } = readPrompt(sent, stored);
  const choice = sent['tool_choice'];
  const isMode = (mode: string): boolean =>
    choice === mode || (isJsonObject(choice) && choice['mode'] === mode);
  const reasoning = isJsonObject(sent['reasoning']) ? sent['reasoning'] : {};
  const streamOptions = isJsonObject(sent['stream_options']) ? sent['stream_options'] : {};
  return {
    request: {
      protocol: 'responses',
      ...prompt,
      sampling: {
        temperature: numberIn(sent['temperature']),
        topP: numberIn(sent['top_p']),
        maxTokens: numberIn(sent['max_output_tokens']),
      },
      isCallRequired: isMode('required') || (isJsonObject(choice) && choice['type'] === 'function'),
      isCallSingle: sent['parallel_tool_calls'] === false,
      isReasoningAsked: isAsked(sent),
    },
    isStreamed: sent['stream'] === true,
    isObfuscated: streamOptions['include_obfuscation'] !== false,
    hasSummary: stringIn(reasoning['summary']) !== undefined,
    isStored: sent['store'] !== false,
    items,
    sent,
  };
}

/** A request for a count of tokens. @throws {WireError} as for a chat */
export function readCountedPrompt(body: string, stored: StoredResponses): Prompt {
  const sent = readObject(body);
  checkCountFields(sent);
  return readPrompt(sent, stored);
}

function readObject(body: string): JsonObject {
  const read = readJson(body);
  if (read.ok && isJsonObject(read.value) && read.end === body.length) return read.value;
  return refuse('We could not parse the JSON body of your request: it has to be one JSON object.');
}

function readPrompt(sent: JsonObject, stored: StoredResponses): Prompt & { items: readonly unknown[] } {
  const model = String(sent['model']);
  if (!findScenario(model)) {
    const text = `The model \`${model}\` does not exist or you do not have access to it.`;
    refuseField(text, 'model', 'model_not_found', 404);
  }
  const kept = readHistory(sent, stored);
  const input = readInput(sent);
  const instructions = stringIn(sent['instructions']) ?? '';
  const system: Message[] = instructions === '' ? [] : [{ role: 'system', content: instructions }];
  const messages = [...system, ...readItems(kept, input, model)];
  return { model, messages, tools: toOfferedTools(sent), items: [...kept, ...input] };
}

function readInput({ input }: JsonObject): unknown[] {
  if (input === undefined || input === null) return refuseMissing('input');
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  return Array.isArray(input) ? input : refuseType('input', 'one of an array of objects or string', input);
}

/** The instructions of the earlier response are not part of it. */
function readHistory(sent: JsonObject, stored: StoredResponses): readonly unknown[] {
  const { conversation } = sent;
  if (conversation !== undefined && conversation !== null) {
    const id = isJsonObject(conversation) ? conversation['id'] : conversation;
    refuseField(`Conversation with id '${String(id)}' not found.`, 'conversation', undefined, 404);
  }
  if (isJsonObject(sent['prompt'])) {
    refuseField(`Prompt with id '${String(sent['prompt']['id'])}' not found.`, 'prompt', undefined, 404);
  }
  const id = stringIn(sent['previous_response_id']);
  if (id === undefined) return [];
  return (
    stored.find(id)?.items ??
    refuseField(
      `Previous response with id '${id}' not found.`,
      'previous_response_id',
      'previous_response_not_found',
    )
  );
}

/** The tools that the model may call. */
function toOfferedTools(sent: JsonObject): ToolType[] {
  const choice = sent['tool_choice'];
  const tools = objectsIn(sent['tools']).map((tool) => fromTool(tool));
  if (choice === 'none') return [];
  if (!isJsonObject(choice)) return tools;
  const named = choice['type'] === 'allowed_tools' ? objectsIn(choice['tools']) : [choice];
  const names = new Set(named.map(({ name }) => name));
  return tools.filter(({ name }) => names.has(name));
}

function fromTool(tool: JsonObject): ToolType {
  return {
    name: stringIn(tool['name']) ?? '',
    description: stringIn(tool['description']),
    parameters: isJsonObject(tool['parameters']) ? tool['parameters'] : {},
  };
}
