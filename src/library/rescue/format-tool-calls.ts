// The opposite of rescue: writes tool calls as the text that a model would write. Independent of particular formats.
import { InvalidOptionsError } from '../errors';
import { isJsonSafe, isRecord, toText } from '../util/json';
import { jsonTypeOf } from '../util/json-words';
import { RESCUE_FORMATS } from './formats/index';
import type { WrittenCall } from './core/rescue-format';
import { rescueToolCalls } from './rescue-tool-calls';
import { writeJson } from './json/write-json';
import type { ToolType } from '../../types';

/** A call to be written; every `ProviderToolCall` is one. */
export interface WritableCall {
  /** Name of the tool. */
  name: string;
  /** A JSON-safe object. */
  arguments: unknown;
  /** Written if the format has a place for it. */
  id?: string | undefined;
}

/**
 * Writes calls as a model writes them in a format. `rescueToolCalls` reads them back, if the tools are offered: this is
 * tried, and a text that is read as anything else is refused. Only examples, such as `{city: '<city>'}`, are written
 * although they are reported as such.
 * @param format Id of a format, such as `hermes-json`.
 * @returns the text; '' without calls
 * @throws InvalidOptionsError for an unknown format, calls that are no list of calls, arguments that are not a JSON-safe
 * object, several calls in a format that has only one, or a value that the format cannot express, such as a text that
 * contains the closer of its own parameter
 */
export function formatToolCalls(calls: readonly WritableCall[], format: string): string {
  const found = RESCUE_FORMATS.find(({ id }) => id === format);
  if (!found)
    throw new InvalidOptionsError('format', `is ${describeFormat(format)}, which is not a known format`);
  if (!Array.isArray(calls)) throw new InvalidOptionsError('calls', 'must be a list of calls');
  if (calls.length === 0) return '';
  if (found.isSingle && calls.length > 1)
    throw new InvalidOptionsError(
      'calls',
      `has ${calls.length} entries, and ${format} has room for one call`,
    );
  const written = Array.from(calls, toWritten);
  const text = found.write(written);
  if (!isReadBack(text, written))
    throw new InvalidOptionsError('calls', `contains a value that ${format} cannot express`);
  return text;
}

const describeFormat = (format: unknown): string =>
  typeof format === 'string' ? JSON.stringify(format) : `a value of type ${typeof format}`;

function toWritten(call: unknown, index: number): WrittenCall {
  if (!isRecord(call)) throw new InvalidOptionsError(`calls[${index}]`, 'must be a call');
  const { name, arguments: value, id } = call;
  if (typeof name !== 'string') throw new InvalidOptionsError(`calls[${index}].name`, 'must be a text');
  if (typeof (id ?? '') !== 'string') throw new InvalidOptionsError(`calls[${index}].id`, 'must be a text');
  if (!isRecord(value))
    throw new InvalidOptionsError('calls', `has arguments of ${name} that are not an object`);
  if (!isJsonSafe(value))
    throw new InvalidOptionsError(
      'calls',
      `has arguments of ${name} that are not JSON, refer to themselves or are nested too deep`,
    );
  return { name, arguments: value, id: toText(id) };
}

/** Reasons that depend on the content of a call alone, however it is written: rescue takes such a call for an example. */
const EXAMPLE_REASONS: ReadonlySet<string> = new Set(['forbidden-key', 'placeholder', 'schema-echo']);

/** Whether the text is read as these calls and nothing else. */
function isReadBack(text: string, written: readonly WrittenCall[]): boolean {
  const { calls, content, rejected } = rescueToolCalls(text, toTools(written));
  const examples = rejected.filter(({ reason }) => EXAMPLE_REASONS.has(reason));
  const found = [...calls, ...examples].toSorted((one, other) => one.start - other.start);
  return (
    // An example stays in the content.
    (content === '' || examples.length > 0) &&
    found.length === written.length &&
    found.every((read, index) => {
      const call = written[index];
      if (!call || read.name !== call.name) return false;
      return !('arguments' in read) || writeJson(read.arguments) === writeJson(call.arguments);
    })
  );
}

/** Declares every parameter with the types of its values. */
function toTools(calls: readonly WrittenCall[]): ToolType[] {
  const types = new Map<string, Set<string>>();
  for (const [key, value] of calls.flatMap((call) => Object.entries(call.arguments)))
    types.set(key, (types.get(key) ?? new Set()).add(jsonTypeOf(value)));
  const properties = Object.fromEntries([...types].map(([key, all]) => [key, { type: [...all] }]));
  return calls.map(({ name }) => ({ name, parameters: { type: 'object', properties } }));
}
