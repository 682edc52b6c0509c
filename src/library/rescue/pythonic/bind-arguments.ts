// Assigns values without a name to the parameters that the tool declares, if no other assignment is possible.
import { isRecord, setOwn, toRecord } from '../../util/json';
import type { JsonRecord } from '../../util/json';
import { requiredParameters } from '../schema/check-arguments';
import type { Refusal } from '../core/rescue-format';
import type { ToolIndex } from '../core/tool-index';
import type { ArgumentsValue } from '../json/bracket-reader';

export interface BoundArguments {
  value: JsonRecord;
  refusal?: Refusal | undefined;
}

export function bindArguments(tools: ToolIndex, name: string, reading: ArgumentsValue): BoundArguments {
  const { keywords, positional } = reading;
  if (positional.length === 0) return { value: keywords };
  const tool = tools.resolve(name)?.tool;
  const declared = toRecord(toRecord(tool?.parameters)['properties']);
  const [first] = positional;
  const isAlone = positional.length === 1 && Object.keys(keywords).length === 0;
  // An object of all arguments, as in TypeScript. If the first parameter of the tool is an object itself, that one gets it.
  if (isAlone && isRecord(first) && isArgumentsObject(first, declared)) return { value: first };
  return bindInOrder(name, reading, Object.keys(declared), requiredParameters(tool?.parameters));
}

function isArgumentsObject(value: JsonRecord, declared: JsonRecord): boolean {
  const names = Object.keys(declared);
  const [first] = names;
  const takesObject = first !== undefined && toRecord(declared[first])['type'] === 'object';
  return !takesObject || Object.keys(value).some((key) => names.includes(key));
}

/** Assigns values to the leading parameters only, and only while each of them is required. */
function bindInOrder(
  name: string,
  { keywords, positional }: ArgumentsValue,
  names: readonly string[],
  required: readonly string[],
): BoundArguments {
  const value: JsonRecord = {};
  for (const [index, item] of positional.entries()) {
    const key = names[index];
    const isClear = key !== undefined && required.includes(key) && !Object.hasOwn(keywords, key);
    if (!isClear) return { value: {}, refusal: describeUnnamed(name) };
    setOwn(value, key, item);
  }
  for (const [key, item] of Object.entries(keywords)) setOwn(value, key, item);
  return { value };
}

const describeUnnamed = (name: string): Refusal => ({
  reason: 'invalid-arguments',
  detail: `The call of \`${name}\` has a value without a name, and which parameter it is cannot be known.`,
});
