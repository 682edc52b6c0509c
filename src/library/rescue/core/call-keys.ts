// The keys by which models and servers name the parts of a call.

/** In order of preference. `function` counts only when it holds text. */
export const NAME_KEYS = [
  'name',
  'tool',
  'tool_name',
  'toolName',
  'function',
  'function_name',
  'action',
  'recipient_name',
] as const;

export const ARGUMENT_KEYS = [
  'arguments',
  'parameters',
  'args',
  'input',
  'params',
  'tool_input',
  'action_input',
  'kwargs',
] as const;

/** Around one call or a list of them. */
export const WRAPPER_KEYS = [
  'tool_calls',
  'toolCalls',
  'tool_call',
  'toolCall',
  'function_call',
  'functionCall',
  'tool_uses',
  'toolUses',
  'tool_use',
  'toolUse',
  'function',
] as const;

/** Lists of what may be called. */
export const DECLARATION_LISTS = ['tools', 'functions'] as const;

/** Where a server's reply holds its messages, and a message its parts. */
export const MESSAGE_KEYS = ['content', 'choices', 'message', 'output'] as const;

/** Where an id is written, the call's own before the one of its place in a conversation. */
export const ID_KEYS = ['call_id', 'tool_call_id', 'id'] as const;

/** Keys that reach the prototype of an object. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Beside a call's result. */
export const RESULT_KEYS = ['result', 'output', 'observation', 'tool_output', 'tool_result'] as const;

const CALL_KEYS: ReadonlySet<string> = new Set([
  ...NAME_KEYS,
  ...ARGUMENT_KEYS,
  ...WRAPPER_KEYS,
  ...ID_KEYS,
  'type',
  'thought',
  'thoughts',
  'reasoning',
]);

/** Whether a call may have such a key: data with a `name` has others. */
export const isCallKey = (key: string): boolean => CALL_KEYS.has(key);

const ARGUMENT_KEY_SET: ReadonlySet<string> = new Set(ARGUMENT_KEYS);

export const isArgumentKey = (key: string): boolean => ARGUMENT_KEY_SET.has(key);

/** Sets a property of the object itself: a key named __proto__ must stay a key until it is refused. */
export function setOwn(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') record[key] = value;
  else Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
}
