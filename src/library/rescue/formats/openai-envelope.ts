// A call in the shapes in which servers return calls, written as text: messages, list entries, content blocks. It has no
// marker, so it must end the reply.
import { toBlockPattern } from '../candidates/start-patterns';
import { readBareCalls } from '../json-calls/bare-calls';
import { DECLARATION_LISTS, MESSAGE_KEYS, WRAPPER_KEYS } from '../core/call-keys';
import { isRecord, parseJson } from '../../util/json';
import type { ReadCall, RescueFormat, WrittenCall } from '../core/rescue-format';
import { writeJson } from '../json/write-json';

/** Values of `type` that only servers write. */
const TYPES: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'tool_call',
  'tool-call',
  'function_call',
  'function_call_output',
  'server_tool_use',
]);

export const openaiEnvelope: RescueFormat = {
  id: 'openai-envelope',
  title: 'A server’s reply as text: tool_calls, function_call, tool_use',
  nativeHint:
    'The model writes a whole server message; a prompt without examples of the wire format avoids it.',
  openers: [],
  firstCharacters: '{[',
  startPattern: toBlockPattern,
  evidence: 'shape',
  parse(context, at) {
    const reading = readBareCalls(context, at, (values) => values.some(isEnvelope));
    return reading?.kind === 'calls' ? { ...reading, calls: reading.calls.map(decode) } : reading;
  },
  write: (calls) => writeJson({ tool_calls: calls.map(toEntry) }),
};

const KEYS = [...WRAPPER_KEYS, ...DECLARATION_LISTS, ...MESSAGE_KEYS];

function isEnvelope(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (Object.hasOwn(value, 'type') && TYPES.has(value['type'])) return true;
  if (Object.hasOwn(value, 'role') || Object.hasOwn(value, 'tool_call_id'))
    return !Object.hasOwn(value, 'tool_name');
  return KEYS.some(
    (key) => Object.hasOwn(value, key) && typeof value[key] === 'object' && value[key] !== null,
  );
}

/** Decodes arguments in JSON text, which is usual in this format. JSON text inside JSON text is damage. */
function decode(call: ReadCall): ReadCall {
  const value = typeof call.arguments === 'string' ? parseJson(call.arguments) : undefined;
  return isRecord(value) ? { ...call, arguments: value } : call;
}

const toEntry = ({ name, arguments: value, id }: WrittenCall): object => ({
  id,
  type: 'function',
  function: { name, arguments: writeJson(value) },
});
