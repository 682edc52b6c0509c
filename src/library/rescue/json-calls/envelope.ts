// Reads calls from the shapes in which servers and models wrap them. Independent of offered tools and of text.
import { isRecord, isSame } from '../../util/json';
import type { JsonRecord } from '../../util/json';
import {
  ARGUMENT_KEYS,
  DECLARATION_LISTS,
  FORBIDDEN_KEYS,
  ID_KEYS,
  isCallKey,
  MESSAGE_KEYS,
  NAME_KEYS,
  RESULT_KEYS,
  WRAPPER_KEYS,
} from '../core/call-keys';
import { decodeJsonText } from '../json/read-json';
import { toKnownType } from '../schema/schema-types';
import type { Refusal } from '../core/rescue-format';

export interface EnvelopeCall {
  name: string;
  /** As written; undefined when there are none. */
  arguments: unknown;
  id?: string | undefined;
  /** The object that contains the name. */
  node: object;
  /** Keys of that object that calls do not have. */
  otherKeys?: readonly string[] | undefined;
  refusal?: Refusal | undefined;
}

const DEEPEST_WRAPPER = 6;
const RESULT_TYPES: ReadonlySet<unknown> = new Set(['tool_result', 'function_call_output']);
const RESULT_ROLES: ReadonlySet<unknown> = new Set(['tool', 'function']);
/** Roles of messages that a model does not write. */
const PAST_ROLES: ReadonlySet<unknown> = new Set(['user', 'system', 'developer', 'tool', 'function']);
/** No tools, but names by which some models say that they call several tools at once. */
const PARALLEL_NAMES: ReadonlySet<string> = new Set([
  'multi_tool_use',
  'multi_tool_use.parallel',
  'functions.multi_tool_use.parallel',
]);
const SCHEMA_KEYS = ['input_schema', 'inputSchema', 'json_schema'];

/**
 * Reads the first call in `payload` (an object, a list, or JSON text of either). Its arguments are decoded if they are JSON
 * text, and are `{}` if there are none.
 * @returns null when there is no call, or when a key would reach a prototype
 */
export function normalizeToolCallEnvelope(payload: unknown): { name: string; arguments: unknown } | null {
  const value = typeof payload === 'string' ? decodeJsonText(payload) : payload;
  const call = readEnvelope(value).find((item) => !item.refusal);
  if (!call) return null;
  const decoded = decodeArguments(call.arguments);
  return hasForbiddenKey(decoded) ? null : { name: call.name, arguments: decoded ?? {} };
}

/**
 * Decodes arguments that are JSON text. Blank text and null become undefined; text that cannot be decoded is returned
 * unchanged.
 */
export function decodeArguments(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'string') return value;
  return value.trim() === '' ? undefined : (decodeJsonText(value) ?? value);
}

/** All calls in `value`, in order. Declarations and results have a refusal. Empty when there is neither. */
export function readEnvelope(value: unknown): EnvelopeCall[] {
  const calls: EnvelopeCall[] = [];
  collect(value, undefined, 0, calls);
  return calls;
}

function collect(value: unknown, id: string | undefined, depth: number, calls: EnvelopeCall[]): void {
  if (depth > DEEPEST_WRAPPER) return;
  if (Array.isArray(value)) {
    const first = calls.length;
    for (const item of value) collect(item, id, depth + 1, calls);
    if (isConversation(value)) for (const call of calls.slice(first)) call.refusal ??= RECORDED;
    return;
  }
  if (!isRecord(value)) return;
  if (isUsual(value)) {
    const { name, arguments: written } = value;
    const refusal = isSchema(written) ? SCHEMA_ECHO : undefined;
    calls.push({ name, arguments: written, id, node: value, refusal });
    return;
  }
  const ownId = readId(value) ?? id;
  const wrapped = isResult(value) ? undefined : readWrapped(value, ownId, depth);
  // Pushed one by one: spreading is limited, and a reply may contain more calls than that.
  if (wrapped) for (const call of wrapped) calls.push(call);
  else collectPlain(value, ownId, calls);
}

/** Whether a record has a name, arguments and nothing else, so that no other shape has to be considered. */
function isUsual(record: JsonRecord): record is { name: string; arguments: unknown } {
  if (Object.keys(record).length !== 2 || own(record, 'arguments') === undefined) return false;
  const name = own(record, 'name');
  return isText(name) && !PARALLEL_NAMES.has(name);
}

/** Whether the list contains messages of others, so that its calls were made long ago. */
export const isConversation = (values: readonly unknown[]): boolean =>
  values.some((item) => isRecord(item) && PAST_ROLES.has(own(item, 'role')));

const DECLARATIONS: ReadonlySet<string> = new Set(DECLARATION_LISTS);
/** Objects under these keys are data; only a list of parts may contain a call. */
const LIST_KEYS: ReadonlySet<string> = new Set(['content', 'output']);

const PLAIN_KEYS: readonly string[] = [...WRAPPER_KEYS, ...DECLARATION_LISTS];
const ALL_KEYS: readonly string[] = [...PLAIN_KEYS, ...MESSAGE_KEYS];
const ALL_KEY_SET: ReadonlySet<string> = new Set(ALL_KEYS);

function readWrapped(record: JsonRecord, id: string | undefined, depth: number): EnvelopeCall[] | undefined {
  // A call has two or three keys, whereas there are many keys of wrappers to look for.
  if (!Object.keys(record).some((key) => ALL_KEY_SET.has(key))) return undefined;
  const calls: EnvelopeCall[] = [];
  const beside = findFirst(record, ARGUMENT_KEYS, isGiven);
  const isPlain = beside !== undefined;
  for (const key of isPlain ? PLAIN_KEYS : ALL_KEYS) {
    const inner = own(record, key);
    const isWrapper = Array.isArray(inner) || (isRecord(inner) && !LIST_KEYS.has(key));
    if (isWrapper) collect(inner, Array.isArray(inner) ? undefined : id, depth + 1, calls);
    if (calls.length === 0) continue;
    const [only] = calls;
    // Mixtral and Llama on Groq: only the name is inside, the arguments are beside the wrapper.
    if (isPlain && isRecord(inner) && calls.length === 1 && only && only.arguments === undefined) {
      only.arguments = beside;
      if (isSchema(beside)) only.refusal ??= SCHEMA_ECHO;
    }
    return DECLARATIONS.has(key) ? calls.filter((call) => call.refusal) : calls;
  }
  return undefined;
}

function collectPlain(record: JsonRecord, id: string | undefined, calls: EnvelopeCall[]): void {
  const name = findFirst(record, NAME_KEYS, isText) ?? '';
  const written = findFirst(record, ARGUMENT_KEYS, isGiven);
  if (PARALLEL_NAMES.has(name)) return collect(decodeArguments(written), undefined, 1, calls);
  const refusal = findRefusal(record, name, written);
  if (name === '' && refusal !== RESULT_ECHO) return;
  const otherKeys = Object.keys(record).filter((key) => !isCallKey(key));
  calls.push({ name, arguments: written, id, node: record, otherKeys, refusal });
}

function findRefusal(record: JsonRecord, name: string, written: unknown): Refusal | undefined {
  // Most calls have a name, arguments and nothing else.
  const isMore = Object.keys(record).length > 2;
  const isRecorded = isMore && name !== '' && written !== undefined && hasResult(record);
  if (isRecorded || isResult(record)) return RESULT_ECHO;
  const isDescribed = isMore && isText(own(record, 'description')) && isTypeNames(written);
  const isDeclaration =
    isDescribed || isSchema(written) || SCHEMA_KEYS.some((key) => isRecord(own(record, key)));
  if (isDeclaration) return SCHEMA_ECHO;
  const isDoubled = isMore && ARGUMENT_KEYS.some((key) => !isSame(own(record, key) ?? written, written));
  return isDoubled ? DOUBLED : undefined;
}

export const DOUBLED: Refusal = {
  reason: 'malformed',
  detail: 'The call has two names, or arguments in two places, and nothing tells which are meant.',
};

export const RECORDED: Refusal = {
  reason: 'example',
  detail: 'The call is part of a quoted conversation, so it was made earlier.',
};

const hasResult = (record: JsonRecord): boolean =>
  RESULT_KEYS.some((key) => (own(record, key) ?? null) !== null);

const RESULT_ECHO: Refusal = {
  reason: 'result-echo',
  detail: 'This is the result of a call, not a call.',
};

export const SCHEMA_ECHO: Refusal = {
  reason: 'schema-echo',
  detail: 'This is the declaration of a tool, repeated from the prompt: its arguments are a JSON Schema.',
};

function isResult(record: JsonRecord): boolean {
  if (RESULT_ROLES.has(own(record, 'role')) || RESULT_TYPES.has(own(record, 'type'))) return true;
  if (own(record, 'tool_call_id') === undefined) return false;
  return findFirst(record, ARGUMENT_KEYS, isGiven) === undefined && !isRecord(own(record, 'function'));
}

/** Whether the value is `{"type": "object", "properties": {…}}`; the type may be missing if every property has one. */
export function isSchema(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const properties = Object.hasOwn(value, 'properties') ? value['properties'] : undefined;
  if (!isRecord(properties)) return false;
  if (own(value, 'type') === 'object') return true;
  const members = Object.values(properties);
  return (
    members.length > 0 && members.every((member) => isRecord(member) && own(member, 'type') !== undefined)
  );
}

/** Whether all values are names of types. */
const isTypeNames = (value: unknown): boolean =>
  isRecord(value) &&
  Object.keys(value).length > 0 &&
  Object.values(value).every((item) => isText(item) && toKnownType(item) !== undefined);

const readId = (record: JsonRecord): string | undefined => findFirst(record, ID_KEYS, isText);

/**
 * Whether any key, at any depth, would reach the prototype of an object. Values that are read here have at most 128 levels.
 */
export function hasForbiddenKey(value: unknown): boolean {
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const item = rest.pop();
    if (typeof item !== 'object' || item === null) continue;
    for (const key of Object.keys(item)) {
      if (!Array.isArray(item) && FORBIDDEN_KEYS.has(key)) return true;
      const inner = own(item as JsonRecord, key);
      if (typeof inner === 'object') rest.push(inner);
    }
  }
  return false;
}

// Only own keys: every object inherits a key such as `constructor`.
const own = (record: JsonRecord, key: string): unknown =>
  Object.hasOwn(record, key) ? record[key] : undefined;

/** The value of the first key that has a value of the wanted kind. */
function findFirst<Value>(
  record: JsonRecord,
  keys: readonly string[],
  isOurs: (value: unknown) => value is Value,
): Value | undefined {
  for (const key of keys) {
    const value = own(record, key);
    if (isOurs(value)) return value;
  }
  return undefined;
}

const isGiven = (value: unknown): value is object | string | number | boolean | null => value !== undefined;

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
