// Reads the items of a Responses input: messages, calls with their outputs, and reasoning with what followed it, as OpenAI's
// service checks them. Pure.
import type { Message, ProviderToolCall } from '../../types';
import { readJson } from '../wire/json-text';
import { isJsonObject } from '../wire/json-value';
import type { JsonObject } from '../wire/json-value';
import { isSealed } from '../wire/seal';
import { fromResultText, stringIn, toRole } from '../wire/wire-message';
import { refuseField, refuseMissing, refuseType, refuseUnknown, refuseValue } from './responses-faults';

/** Encrypted reasoning is bound to the model that wrote it. */
export const reasoningScope = (model: string): string => `responses/${model}`;

/** The id of the reasoning that an item needs: its own id begins with the same 32 characters and goes on with a number. */
const FOLLOWER_ID = /^(?:msg|fc)_(\w{32})\d+$/;

interface ItemType {
  required: readonly string[];
  optional: readonly string[];
}

const ITEM_TYPES: Readonly<Record<string, ItemType>> = {
  message: { required: ['role', 'content'], optional: ['id', 'status', 'phase'] },
  function_call: {
    required: ['call_id', 'name', 'arguments'],
    optional: ['id', 'status', 'namespace', 'caller'],
  },
  function_call_output: { required: ['call_id', 'output'], optional: ['id', 'status', 'caller'] },
  reasoning: { required: ['id', 'summary'], optional: ['content', 'encrypted_content', 'status'] },
  item_reference: { required: ['id'], optional: [] },
};

const ROLES = ['assistant', 'system', 'developer', 'user'];
const INPUT_PARTS = ['input_text'];
const OUTPUT_PARTS = ['output_text', 'refusal'];

interface Item {
  item: JsonObject;
  type: string;
  /** Such as `input[0]`. */
  param: string;
}

/** @param kept Items of earlier responses, which this server has checked. @throws {WireError} for the first fault */
export function readItems(kept: readonly unknown[], input: readonly unknown[], model: string): Message[] {
  const items = [...kept, ...input].map((item, index) =>
    readItem(item, `input[${index - kept.length}]`, model),
  );
  checkReasoningOrder(items);
  checkOutputs(items);
  const names = new Map(
    ofType(items, 'function_call').map(({ item }) => [item['call_id'], stringIn(item['name'])]),
  );
  const messages: Message[] = [];
  for (const item of items) addItem(messages, item, names);
  return messages;
}

function readItem(item: unknown, param: string, model: string): Item {
  if (!isJsonObject(item)) return refuseType(param, 'an object', item);
  // Only messages may leave out their type.
  const type =
    stringIn(item['type']) ?? (item['role'] === undefined ? refuseMissing(`${param}.type`) : 'message');
  const { required, optional } =
    (Object.hasOwn(ITEM_TYPES, type) ? ITEM_TYPES[type] : undefined) ??
    refuseValue(param, type, Object.keys(ITEM_TYPES));
  const missing = required.find((key) => item[key] === undefined);
  if (missing !== undefined) refuseMissing(`${param}.${missing}`);
  const unknown = Object.keys(item).find((key) => ![...required, ...optional, 'type'].includes(key));
  if (unknown !== undefined) refuseUnknown(`${param}.${unknown}`);
  if (type === 'message') checkMessage(item, param);
  if (type === 'function_call') checkTexts(item, param, required);
  if (type === 'function_call_output') {
    checkTexts(item, param, ['call_id']);
    readText(item['output'], `${param}.output`, INPUT_PARTS);
  }
  if (type === 'reasoning') checkReasoning(item, param, model);
  if (type === 'item_reference')
    refuseField(`Item with id '${String(item['id'])}' not found.`, 'input', undefined, 404);
  return { item, type, param };
}

function checkTexts(item: JsonObject, param: string, keys: readonly string[]): void {
  for (const key of keys) {
    if (typeof item[key] !== 'string') refuseType(`${param}.${key}`, 'a string', item[key]);
  }
}

function checkMessage(item: JsonObject, param: string): void {
  const role = stringIn(item['role']) ?? '';
  if (!ROLES.includes(role)) refuseValue(`${param}.role`, item['role'], ROLES);
  readText(item['content'], `${param}.content`, role === 'assistant' ? OUTPUT_PARTS : INPUT_PARTS);
}

function checkReasoning(
  { id, encrypted_content: encrypted }: JsonObject,
  param: string,
  model: string,
): void {
  if (typeof encrypted !== 'string') {
    refuseField(
      `Item with id '${String(id)}' not found. Its \`encrypted_content\` is missing, and this server keeps no reasoning.`,
      'input',
      undefined,
      404,
    );
  }
  if (isSealed(encrypted, reasoningScope(model))) return;
  refuseField(
    `The encrypted content for item ${String(id)} could not be verified.`,
    param,
    'invalid_encrypted_content',
  );
}

/** The text of a content or an output: a text, or a list of parts. */
function readText(content: unknown, param: string, partTypes: readonly string[]): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return refuseType(param, 'one of an array of objects or string', content);
  return content.map((part, index) => readPart(part, `${param}[${index}]`, partTypes)).join('\n');
}

function readPart(part: unknown, param: string, types: readonly string[]): string {
  if (!isJsonObject(part)) return refuseType(param, 'an object', part);
  const type = stringIn(part['type']) ?? refuseMissing(`${param}.type`);
  if (!types.includes(type)) refuseValue(`${param}.type`, type, types);
  const key = type === 'refusal' ? 'refusal' : 'text';
  if (part[key] === undefined) refuseMissing(`${param}.${key}`);
  return stringIn(part[key]) ?? refuseType(`${param}.${key}`, 'a string', part[key]);
}

/** Reasoning goes before what it led to, and what it led to needs it. */
function checkReasoningOrder(items: readonly Item[]): void {
  const given = new Set<unknown>();
  for (const [index, { item, type }] of items.entries()) {
    const id = stringIn(item['id']) ?? '';
    const stem = FOLLOWER_ID.exec(id)?.[1];
    if (stem !== undefined && !given.has(`rs_${stem}`)) {
      refuseField(
        `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: 'rs_${stem}'.`,
        'input',
      );
    }
    if (type !== 'reasoning') continue;
    given.add(id);
    const next = items[index + 1];
    if (next?.type !== 'function_call' && next?.item['role'] !== 'assistant') {
      refuseField(
        `Item '${id}' of type 'reasoning' was provided without its required following item.`,
        'input',
      );
    }
  }
}

function checkOutputs(items: readonly Item[]): void {
  const idsOf = (type: string): Set<string> =>
    new Set(ofType(items, type).map(({ item }) => String(item['call_id'])));
  const called = idsOf('function_call');
  const answered = idsOf('function_call_output');
  const unknown = [...answered].find((id) => !called.has(id));
  if (unknown !== undefined) {
    refuseField(`No tool call found for function call output with call_id ${unknown}.`, 'input');
  }
  const missing = [...called].find((id) => !answered.has(id));
  if (missing !== undefined) {
    refuseField(`No tool output found for function call ${missing}.`, 'input');
  }
}

/** What an assistant says and calls in a row is one message. */
function addItem(
  messages: Message[],
  { item, type, param }: Item,
  names: ReadonlyMap<unknown, string | undefined>,
): void {
  if (type === 'function_call_output') {
    const id = stringIn(item['call_id']);
    const result = fromResultText(readText(item['output'], `${param}.output`, INPUT_PARTS));
    messages.push({ role: 'tool', ...result, toolCallId: id, toolName: names.get(id) });
    return;
  }
  if (type === 'reasoning') return;
  const role = type === 'function_call' ? 'assistant' : toRole(item['role']);
  const content =
    type === 'function_call'
      ? ''
      : readText(item['content'], `${param}.content`, [...INPUT_PARTS, ...OUTPUT_PARTS]);
  const calls = type === 'function_call' ? [fromCall(item)] : [];
  const last = messages.at(-1);
  if (role !== 'assistant' || last?.role !== 'assistant') {
    messages.push({ role, content, toolCalls: calls.length > 0 ? calls : undefined });
    return;
  }
  const toolCalls = [...(last.toolCalls ?? []), ...calls];
  messages[messages.length - 1] = {
    role,
    content: [last.content, content].filter((text) => text !== '').join('\n'),
    toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
  };
}

/** Arguments that are not JSON stay as their text. */
function fromCall(item: JsonObject): ProviderToolCall {
  const text = String(item['arguments']);
  const read = readJson(text);
  const args = text === '' ? {} : read.ok ? read.value : text;
  return { id: String(item['call_id']), name: String(item['name']), arguments: args, source: 'native' };
}

const ofType = (items: readonly Item[], type: string): Item[] =>
  items.filter((candidate) => candidate.type === type);
