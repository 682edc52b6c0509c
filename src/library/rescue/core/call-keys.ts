// The keys by which models and servers name the parts of a call.

/** In order of preference. `function` counts only when its value is text. */
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

const NAME_KEY_SET: ReadonlySet<string | undefined> = new Set(NAME_KEYS);
export const isNameKey = (key: string | undefined): boolean => NAME_KEY_SET.has(key);

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

/** Keys around one call or a list of calls. */
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

/** Keys of lists that declare what may be called. */
export const DECLARATION_LISTS = ['tools', 'functions'] as const;

/** Keys under which a server's reply has its messages, and a message its parts. */
export const MESSAGE_KEYS = ['content', 'choices', 'message', 'output'] as const;

/** Keys of ids. The id of the call itself is preferred to the id of its item in a conversation. */
export const ID_KEYS = ['call_id', 'tool_call_id', 'id'] as const;

/** Keys that reach the prototype of an object. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Keys of a result, or of a log; a record that has one reports a call that was made. */
export const RESULT_KEYS = [
  'result',
  'output',
  'observation',
  'tool_output',
  'tool_result',
  'stdout',
  'stderr',
  'exit_code',
  'success',
  'duration_ms',
  'timestamp',
] as const;

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

/** Whether calls have this key. Data with a `name` has other keys. */
export const isCallKey = (key: string): boolean => CALL_KEYS.has(key);

const ARGUMENT_KEY_SET: ReadonlySet<string> = new Set(ARGUMENT_KEYS);

export const isArgumentKey = (key: string): boolean => ARGUMENT_KEY_SET.has(key);
