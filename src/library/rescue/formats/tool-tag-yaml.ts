// Calls in the format of minpeter: an element named after the tool, with its arguments in YAML. Only a mapping with a
// declared key is a call.
import { ELEMENT_PATTERN } from '../candidates/start-patterns';
import { isRecord } from '../../util/json';
import type { JsonRecord } from '../../util/json';
import { findTagNameEnd } from '../text/names';
import { skipWhite } from '../text/white-space';
import { findProperties } from '../schema/schema-types';
import { standsAlone } from '../regions/line-position';
import type { RescueRepair } from '../../../types';
import type { RescueContext } from '../core/rescue-context';
import { toRejectionReading } from '../core/rescue-format';
import type { FormatReading, RejectionReading, RescueFormat, WrittenCall } from '../core/rescue-format';
import { keepTexts, describeYaml, readYaml } from '../yaml/yaml-reader';
import { writeYamlCall } from '../yaml/write-yaml';

const KEY = /^["']?([\w.$-]{1,128})["']?[ \t]{0,8}:(?:[ \t\r\n]|$)/;

/** The closing tag of an element named after a tool, with or without the namespace `functions`. */
const NAMED_CLOSER = /^<\/(?:functions?[.:])?([\w.-]{1,128})>/;

export const toolTagYaml: RescueFormat = {
  id: 'tool-tag-yaml',
  title: 'minpeter: an element named after the tool, with YAML in it',
  nativeHint:
    'No server reads it as a call: ask for JSON in the prompt, or use the chat template of the model.',
  openers: [],
  firstCharacters: '<',
  startPattern: ELEMENT_PATTERN,
  evidence: 'label',
  parse: (context, at) => parseElement(context, at),
  write: (calls) => calls.map(writeElement).join('\n'),
};

interface Element {
  name: string;
  start: number;
  bodyStart: number;
  declared: JsonRecord;
  schema: unknown;
}

function parseElement(context: RescueContext, at: number): FormatReading | null {
  const element = readOpening(context, at);
  if (!element) return null;
  const { text } = context;
  const { name, bodyStart } = element;
  const closer = `</${name}>`;
  const closerAt = context.find(closer, bodyStart);
  if (closerAt !== -1) return parseBody(context, element, closerAt, closerAt + closer.length, []);
  const half = text.lastIndexOf('<');
  const isHalf = half > bodyStart && text.length - half > 2 && closer.startsWith(text.slice(half));
  // With another opening tag before it, the cut-off closing tag does not belong to this element.
  if (!isHalf || context.find(`<${name}>`, bodyStart) !== -1) return rejectUnclosed(context, element);
  const repairs = [{ kind: 'missing-close-tag', at: half }];
  return parseBody(context, element, half, text.length, repairs);
}

/** Reads arguments after a tag for calls, where only the closing tag, on a line of its own, names the tool. */
export function readNamedByCloser(
  context: RescueContext,
  start: number,
  bodyStart: number,
): FormatReading | null {
  const { text, tools } = context;
  const first = skipWhite(text, bodyStart);
  if (!isBlockAt(text, bodyStart, first)) return null;
  const lineEnd = context.find('\n</', first);
  if (lineEnd === -1) return null;
  const closerAt = lineEnd + 1;
  const [closer = '', name = ''] = NAMED_CLOSER.exec(text.slice(closerAt, closerAt + LONGEST_KEY)) ?? [];
  const schema = name === '' ? undefined : tools.resolve(name)?.tool.parameters;
  const declared = schema && findProperties(schema);
  if (!declared) return null;
  const repairs = [{ kind: 'foreign-body' as const, at: bodyStart }];
  const element = { name, start, bodyStart, declared, schema };
  const reading = parseBody(context, element, closerAt, closerAt + closer.length, repairs);
  return reading?.kind === 'calls' ? { ...reading, evidence: 'marker', isOpen: false } : reading;
}

const isBlockAt = (text: string, from: number, first: number): boolean =>
  text.slice(from, first).includes('\n') && KEY.test(text.slice(first, first + LONGEST_KEY));

/** Reads the tag of an offered tool, if a line break and a key follow it; without a key the element is text. */
function readOpening(context: RescueContext, at: number): Element | null {
  const { text, tools } = context;
  const nameEnd = findTagNameEnd(text, at + 1);
  if (nameEnd <= at + 1 || text.charAt(nameEnd) !== '>') return null;
  const name = text.slice(at + 1, nameEnd);
  const schema = tools.resolve(name)?.tool.parameters;
  const declared = schema && findProperties(schema);
  if (!declared || !standsAlone(context, at)) return null;
  const first = skipWhite(text, nameEnd + 1);
  return isBlockAt(text, nameEnd + 1, first)
    ? { name, start: at, bodyStart: nameEnd + 1, declared, schema }
    : null;
}

const LONGEST_KEY = 160;

function parseBody(
  context: RescueContext,
  element: Element,
  bodyEnd: number,
  end: number,
  repairs: readonly RescueRepair[],
): FormatReading | null {
  const { name, start, bodyStart, declared, schema } = element;
  const reading = readYaml(context, bodyStart, bodyEnd);
  const [document, ...others] = reading.documents;
  const value = document?.value;
  const isOurs = isRecord(value) && Object.keys(value).some((key) => Object.hasOwn(declared, key));
  if (!isOurs || others.length > 0) return null;
  if (reading.failure) return toRejectionReading({ start, end }, name, describeYaml(reading.failure, name));
  keepTexts(value, reading, schema);
  const call = { name, arguments: value, start, end, repairs: reading.repairs };
  return { kind: 'calls', start, end, calls: [call], repairs, isOpen: repairs.length > 0 };
}

/** Rejects an element that is never closed. Its last value may be cut, because a plain scalar has no closing quote. */
function rejectUnclosed(
  { text }: RescueContext,
  { name, start, bodyStart, declared }: Element,
): RejectionReading | null {
  const [, key = ''] = KEY.exec(text.slice(skipWhite(text, bodyStart), bodyStart + LONGEST_KEY)) ?? [];
  const span = { start, end: text.length };
  return Object.hasOwn(declared, key) ? toRejectionReading(span, name, describeYaml(undefined, name)) : null;
}

/** Writes the arguments as the format `yaml` does, with one level of indentation less. */
function writeElement(call: WrittenCall): string {
  const [, ...lines] = writeYamlCall(call).split('\n').slice(1);
  const body = lines.map((line) => line.replace(/^ {2}/, '')).join('\n');
  return `<${call.name}>\n${body}\n</${call.name}>`;
}
