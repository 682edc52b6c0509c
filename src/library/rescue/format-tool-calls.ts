// The opposite of rescue: writes tool calls as the text that a model would write. Independent of particular formats.
import { InvalidOptionsError } from '../errors';
import { isJsonSafe, isRecord } from '../util/json';
import { DIALECTS } from './formats/dialects';
import { RESCUE_FORMATS } from './formats/index';
import type { WrittenCall } from './core/rescue-format';

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
 * Writes calls as a model writes them in a format. `rescueToolCalls` reads them back, if the tools are offered.
 * @param format Id of a format, such as `hermes-json`.
 * @returns the text; '' without calls
 * @throws InvalidOptionsError for an unknown format, arguments that are not a JSON-safe object, several calls in a format
 * that has only one, or a value that the format cannot express, such as a text that contains the closer of its own parameter
 */
export function formatToolCalls(calls: readonly WritableCall[], format: string): string {
  const found = RESCUE_FORMATS.find(({ id }) => id === format);
  if (!found)
    throw new InvalidOptionsError('format', `is ${JSON.stringify(format)}, which is not a known format`);
  if (calls.length === 0) return '';
  if (found.isSingle && calls.length > 1)
    throw new InvalidOptionsError(
      'calls',
      `has ${calls.length} entries, and ${format} has room for one call`,
    );
  const text = found.write(calls.map(toWritten), DIALECTS);
  if (text === undefined)
    throw new InvalidOptionsError('calls', `contains a value that ${format} cannot express`);
  return text;
}

function toWritten({ name, arguments: value, id }: WritableCall): WrittenCall {
  if (!isRecord(value))
    throw new InvalidOptionsError('calls', `has arguments of ${name} that are not an object`);
  if (!isJsonSafe(value))
    throw new InvalidOptionsError(
      'calls',
      `has arguments of ${name} that are not JSON, refer to themselves or are nested too deep`,
    );
  return { name, arguments: value, id };
}
