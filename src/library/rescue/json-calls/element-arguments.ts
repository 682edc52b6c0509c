// Reads arguments that are text with one element for each parameter, as in `"arguments": "<city>Ghent</city>"`: a call in JSON
// whose arguments a model wrote in another format. Only for calls that a marker shows to be calls.
import { getOwn, setOwn } from '../../util/json';
import type { JsonRecord } from '../../util/json';
import type { RescueContext } from '../core/rescue-context';
import type { ReadCall, SchemaIssue } from '../core/rescue-format';
import { toPath } from '../schema/check-arguments';
import { findProperties, findTypes } from '../schema/schema-types';
import { typeValue } from '../schema/type-value';

/** An element that is named after a parameter, or one that has its name as Qwen3-Coder or Claude write it. */
const ELEMENT =
  /\s*<(?:parameter(?:=|\s+name=["']?))?([\w.-]{1,128})["']?>(?:\r?\n)?([^]*?)(?:\r?\n)?<\/(?:parameter|\1)>\s*/y;

/** The calls, those with such text with the values in it. Nothing is changed unless the elements are all of the text. */
export function readElementArguments(
  context: RescueContext,
  calls: readonly ReadCall[],
): readonly ReadCall[] {
  return calls.some(isElement)
    ? calls.map((call) => (isElement(call) ? readElements(context, call) : call))
    : calls;
}

const isElement = ({ arguments: written }: ReadCall): boolean =>
  typeof written === 'string' && written.trimStart().startsWith('<');

function readElements({ tools }: RescueContext, call: ReadCall): ReadCall {
  const text = call.arguments as string;
  const schema = tools.resolve(call.name)?.tool.parameters;
  const value: JsonRecord = {};
  const issues: SchemaIssue[] = [];
  let end = 0;
  while (end < text.length) {
    ELEMENT.lastIndex = end;
    const [whole, key = '', written = ''] = ELEMENT.exec(text) ?? [];
    const property = getOwn(findProperties(schema), key);
    // A parameter that is unknown or comes twice: it may be markup in the value before it.
    if (whole === undefined || property === undefined || Object.hasOwn(value, key)) return call;
    const typed = typeValue(written, findTypes(property, schema));
    if (typed.issue !== undefined) issues.push({ path: toPath(key), message: typed.issue });
    setOwn(value, key, typed.value);
    end += whole.length;
  }
  const repairs = [
    ...call.repairs,
    { kind: 'foreign-body', at: call.start, note: 'the arguments are elements' },
  ];
  return { ...call, arguments: value, repairs, ...(issues.length > 0 && { issues }) };
}
