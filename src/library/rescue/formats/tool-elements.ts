// Calls whose elements have the names of the tool or of its parameters: those of Cline and Roo, those of minpeter with YAML
// in the tool's element, and those of Devstral with the tool's name on a line above. Only offered tools and declared
// parameters count, so ordinary markup is never a call.
import { ELEMENT_PATTERN } from '../candidates/start-patterns';
import { skipWhite } from '../text/white-space';
import { standsAlone, startsLine } from '../regions/line-position';
import { createPairFormat, readEmission } from '../pairs/pair-format';
import type { Emission } from '../pairs/emission';
import { createAngleSpelling } from '../pairs/tags/angle-spelling';
import type { AngleOptions } from '../pairs/tags/angle-spelling';
import type { PairSpelling } from '../pairs/tags/spelling';
import { findTagNameEnd } from '../text/names';
import { writePairs, writeText } from '../pairs/write-pairs';
import type { RescueContext } from '../core/rescue-context';
import { toRejectionReading, toSingleEmission } from '../core/rescue-format';
import type {
  RescueFormat,
  WrittenCall,
  FormatReading,
  RejectionReading,
  CallsReading,
} from '../core/rescue-format';
import { findProperties } from '../schema/schema-types';
import { isRecord } from '../../util/json';
import type { JsonRecord } from '../../util/json';
import type { RescueRepair } from '../../../types';
import { keepTexts, describeYaml, readYaml } from '../yaml/yaml-reader';
import { writeYamlCall } from '../yaml/write-yaml';
import { rejectCut } from '../core/refusals';
import { readNameBefore } from '../candidates/look-back';
import { CallArguments } from '../pairs/call/call-arguments';
import { requiredParameters } from '../schema/check-arguments';
import { skipWhiteBefore } from '../text/cut-text';
import type { Span } from '../text/cut-text';
import type { StartPattern } from '../text/prefilter';
import { INVOKE_SPELLING } from './element-tags';

export const toolTagXml: RescueFormat = createPairFormat({
  id: 'tool-tag-xml',
  title: 'Cline and Roo: an element named after the tool',
  openers: [],
  infoStrings: ['xml'],
  firstCharacters: '<',
  startPattern: ELEMENT_PATTERN,
  spelling: createSpelling(''),
  read: readToolTag,
  write: (calls) => calls.map(writeElement).join('\n'),
});

function readToolTag(context: RescueContext, at: number): Emission | null {
  const { text, tools } = context;
  const nameEnd = findTagNameEnd(text, at + 1);
  const name = text.slice(at + 1, nameEnd);
  const isPlain =
    nameEnd > at + 1 && (text.startsWith('>', nameEnd) || text.startsWith('/>', skipWhite(text, nameEnd)));
  const tool = isPlain ? tools.resolve(name)?.tool : undefined;
  if (!tool) return null;
  const declared = findProperties(tool.parameters) ?? {};
  const closer = Object.hasOwn(declared, name) ? findOuterCloser(context, nameEnd, name) : undefined;
  const group = readGroup(text, nameEnd, declared);
  const spelling = createSpelling(name, group?.name, closer === undefined ? undefined : [at, closer]);
  const tag = spelling.readTag(context, at);
  if (!tag || !(tag.isEmpty || isCallBody(context, group?.end ?? tag.end, name, tool.parameters)))
    return null;
  const isNamed = tag.isEmpty || text.startsWith('</', skipWhite(text, tag.end));
  // An empty element inside a sentence only mentions the tool.
  return isNamed && !standsAlone(context, at) ? null : readEmission(context, at, spelling);
}

const GROUP = /^>\s{0,16}<(args|arguments|parameters|params)>/;
const LONGEST_GROUP = 40;

/** The element around all arguments, which some models add as in other formats; undefined when there is none. */
function readGroup(
  text: string,
  from: number,
  declared: JsonRecord,
): { name: string; end: number } | undefined {
  const [written = '', name = ''] = GROUP.exec(text.slice(from, from + LONGEST_GROUP)) ?? [];
  return name === '' || Object.hasOwn(declared, name) ? undefined : { name, end: from + written.length };
}

/** Whether a call's body is at `from`: an object, a declared element or one around it, the closing tag, the text's end. */
function isCallBody(context: RescueContext, from: number, name: string, schema: unknown): boolean {
  const { text } = context;
  const at = skipWhite(text, from);
  if (text.startsWith(`</${name}>`, at) || text.charAt(at) === '{') return true;
  if (text.charAt(at) !== '<') return at >= text.length;
  const end = findTagNameEnd(text, at + 1);
  const isElement = end > at + 1 && (' >'.includes(text.charAt(end)) || text.startsWith('/>', end));
  if (!isElement) return false;
  const declared = findProperties(schema) ?? {};
  if (Object.hasOwn(declared, text.slice(at + 1, end))) return true;
  const closer = context.find(`</${name}>`, at);
  const inside = closer === -1 ? '' : text.slice(at, Math.min(closer, at + LONGEST_BODY));
  return inside !== '' && Object.keys(declared).some((key) => inside.includes(`</${key}>`));
}

const LONGEST_BODY = 4096;

/** Start of the tag that closes the tool's element, after that of a parameter of the same name. */
function findOuterCloser(context: RescueContext, from: number, name: string): number | undefined {
  const closer = `</${name}>`;
  for (let at = context.find(closer, from); at !== -1; at = context.find(closer, at + 1)) {
    const next = skipWhite(context.text, at + closer.length);
    if (context.text.startsWith(closer, next)) return next;
  }
  return undefined;
}

/**
 * The spelling in which only the tool's name is a tag; parameters are found by the schema.
 * @param group The element around them. @param places Offsets of the tags of the call, needed if one has the name of the tool.
 */
function createSpelling(name: string, group?: string, places?: readonly number[]): PairSpelling {
  const roles: AngleOptions['roles'] = group === undefined ? {} : { [group]: 'group' };
  const spelling = createAngleSpelling(
    {
      roles: { ...roles, [name.toLowerCase()]: 'call' },
      hasAttributes: true,
      locate: (fullName) => (fullName.includes('|') ? null : { space: '', name: fullName }),
    },
    { breaks: 'each', hasOwnNames: true },
  );
  return {
    ...spelling,
    readTag(source, at) {
      const tag = spelling.readTag(source, at);
      // `<name>` is the call; `<Name>` may be any other element.
      if (tag?.role !== 'call') return tag;
      return tag.name === name && (places?.includes(at) ?? true)
        ? { ...tag, label: name }
        : { ...tag, role: undefined };
    },
  };
}

const writeElement = (call: WrittenCall): string =>
  `<${call.name}>\n${writePairs(call, (key, value) => `<${key}>${writeValue(value)}</${key}>\n`)}</${call.name}>`;

/** A text of several lines is put on lines of its own. */
function writeValue(value: unknown): string {
  const text = writeText(value);
  return text.includes('\n') ? `\n${text}\n` : text;
}

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
  parse: parseElement,
  write: (calls) => calls.map(writeYamlElement).join('\n'),
};

function parseElement(context: RescueContext, start: number): FormatReading | null {
  const { text, tools } = context;
  const nameEnd = findTagNameEnd(text, start + 1);
  const name = text.slice(start + 1, nameEnd);
  const bodyStart = nameEnd + 1;
  const isElement = name !== '' && text.charAt(nameEnd) === '>';
  const tool = isElement ? tools.resolve(name)?.tool : undefined;
  if (!tool || !standsAlone(context, start)) return null;
  // Without a key on a line of its own, the element is text.
  const key = findFirstKey(text, bodyStart);
  if (key === undefined) return null;
  const closer = `</${name}>`;
  const closerAt = context.find(closer, bodyStart);
  const end = closerAt + closer.length;
  if (closerAt !== -1) return parseBody(context, { name, start, bodyStart, bodyEnd: closerAt, end }, []);
  const bodyEnd = text.lastIndexOf('<');
  const isHalf = bodyEnd > bodyStart && text.length - bodyEnd > 2 && closer.startsWith(text.slice(bodyEnd));
  // With another opening tag before it, the cut-off closing tag does not belong to this element.
  if (isHalf && context.find(`<${name}>`, bodyStart) === -1) {
    const repairs = [{ kind: 'missing-close-tag', at: bodyEnd }];
    return parseBody(context, { name, start, bodyStart, bodyEnd, end: text.length }, repairs);
  }
  // Its last value may be cut, because a plain scalar has no closing quote.
  const isDeclared = Object.hasOwn(findProperties(tool.parameters) ?? {}, key);
  return isDeclared ? rejectCut(context, start, name, 'inside its YAML') : null;
}

/** Reads arguments after a tag for calls, where only the closing tag, on a line of its own, names the tool. */
export function readNamedByCloser(
  context: RescueContext,
  start: number,
  bodyStart: number,
): FormatReading | null {
  const { text } = context;
  if (findFirstKey(text, bodyStart) === undefined) return null;
  const lineEnd = context.find('\n</', skipWhite(text, bodyStart));
  if (lineEnd === -1) return null;
  const closerAt = lineEnd + 1;
  const [closer = '', name = ''] = NAMED_CLOSER.exec(text.slice(closerAt, closerAt + LONGEST_KEY)) ?? [];
  const repairs = [{ kind: 'foreign-body' as const, at: bodyStart }];
  const element = { name, start, bodyStart, bodyEnd: closerAt, end: closerAt + closer.length };
  const reading = parseBody(context, element, repairs);
  return reading?.kind === 'calls' ? { ...reading, evidence: 'marker', isOpen: false } : reading;
}

/** The key that begins the content on the next line; undefined when there is none. */
function findFirstKey(text: string, from: number): string | undefined {
  const first = skipWhite(text, from);
  if (!text.slice(from, first).includes('\n')) return undefined;
  return KEY.exec(text.slice(first, first + LONGEST_KEY))?.[1];
}

const LONGEST_KEY = 160;

/** Reads an element whose content may be the arguments of the tool in YAML. */
function parseBody(
  context: RescueContext,
  { name, start, bodyStart, bodyEnd, end }: Span & { name: string; bodyStart: number; bodyEnd: number },
  repairs: readonly RescueRepair[],
): FormatReading | null {
  const schema = context.tools.resolve(name)?.tool.parameters;
  const declared = findProperties(schema);
  if (!declared) return null;
  const reading = readYaml(context, bodyStart, bodyEnd);
  const [document, ...others] = reading.documents;
  const value = document?.value;
  const isOurs = isRecord(value) && Object.keys(value).some((key) => Object.hasOwn(declared, key));
  if (!isOurs || others.length > 0) return null;
  if (reading.failure) return toRejectionReading({ start, end }, name, describeYaml(reading.failure, name));
  keepTexts(value, reading, schema);
  const call = { name, arguments: value, start, end, repairs: reading.repairs };
  return toSingleEmission(call, { repairs, isOpen: repairs.length > 0 });
}

/** Writes the arguments as the format `yaml` does, with one level of indentation less. */
function writeYamlElement(call: WrittenCall): string {
  const [, ...lines] = writeYamlCall(call).split('\n').slice(1);
  const body = lines.map((line) => line.replace(/^ {2}/, '')).join('\n');
  return `<${call.name}>\n${body}\n</${call.name}>`;
}

/** Matches at the bracket of an element on the line below a name. */
const NAME_LINE_PATTERN: StartPattern = (_first, { end }) => ({
  before: `${end}:?[ \\t\\r]{0,4}\\n[ \\t]{0,16}`,
});

export const nameLineXml: RescueFormat = {
  id: 'name-line-xml',
  title: 'Devstral: the name on a line, elements below it',
  nativeHint: 'No server reads it as a call: use the chat template of the model.',
  openers: [],
  firstCharacters: '<',
  startPattern: NAME_LINE_PATTERN,
  evidence: 'shape',
  parse: parseBelowName,
  write: (calls) => calls.map(writeBelowName).join('').trimEnd(),
};

const writeBelowName = (call: WrittenCall): string =>
  `${call.name}\n${writePairs(call, (key, value) => `<${key}>${writeText(value)}</${key}>\n`)}`;

function parseBelowName(context: RescueContext, at: number): CallsReading | RejectionReading | null {
  const { text, tools } = context;
  const lineEnd = skipWhiteBefore(text, at);
  const nameEnd = text.charAt(lineEnd - 1) === ':' ? lineEnd - 1 : lineEnd;
  if (!text.slice(lineEnd, at).includes('\n')) return null;
  const named = readNameBefore(context, nameEnd);
  if (!named || !isAloneOnLine(context, named.start)) return null;
  const { name, start } = named;
  const values = new CallArguments(context, INVOKE_SPELLING, name);
  const { end: bodyEnd, cutIn } = readElements(context, at, values);
  if (cutIn !== undefined) return rejectCut(context, start, name, `inside the parameter \`${cutIn}\``);
  const required = requiredParameters(tools.resolve(name)?.tool.parameters);
  if (values.isEmpty || required.some((key) => values.isNew(key))) return null;
  const closer = skipWhite(text, bodyEnd);
  const end = text.startsWith(`</${name}>`, closer) ? closer + name.length + 3 : bodyEnd;
  // Without a closing tag, further elements may follow.
  return toSingleEmission(values.finish({ start, end }), { isOpen: closer >= text.length });
}

/** Whether only spaces and tabs precede it on its line. */
const isAloneOnLine = (context: RescueContext, start: number): boolean =>
  startsLine(context, start) ||
  /(?:^|\n)[ \t]{1,16}$/.test(context.text.slice(Math.max(0, start - 20), start));

/**
 * Reads elements named after declared parameters, each up to its own closing tag. Returns where they end, and the one whose
 * closing tag is missing because the text ends.
 */
function readElements(
  context: RescueContext,
  from: number,
  values: CallArguments,
): { end: number; cutIn?: string } {
  const { text } = context;
  let end = from;
  for (let at = from; text.charAt(at) === '<'; at = skipWhite(text, end)) {
    const nameEnd = findTagNameEnd(text, at + 1);
    const key = text.slice(at + 1, nameEnd);
    if (text.charAt(nameEnd) !== '>' || values.declares(key) !== true || !values.isNew(key)) break;
    const closer = findElementEnd(context, nameEnd, key, values);
    if (closer === -1) return { end, cutIn: key };
    values.add(key, { text: text.slice(nameEnd + 1, closer), at: nameEnd + 1, hint: {} });
    end = closer + key.length + 3;
    context.meter.spend(at, end);
  }
  return { end };
}

/** Start of the closing tag, behind the elements of the same name in the value; -1 when the text ends before it. */
function findElementEnd(context: RescueContext, from: number, key: string, values: CallArguments): number {
  const { text, isCut } = context;
  const tag = `</${key}>`;
  let inner = from;
  let closer = -1;
  for (let next = context.find(tag, from); next !== -1; next = context.find(tag, closer + 1)) {
    closer = next;
    inner = context.peek(`<${key}>`, inner + 1);
    if (inner === -1 || inner > closer) return closer;
    // The value only mentions an element if the call goes on or ends here.
    const at = skipWhite(text, closer + tag.length);
    const name = text.slice(at + 1, findTagNameEnd(text, at + 1));
    const isNext = name !== key && values.declares(name) === true && values.isNew(name);
    if (text.charAt(at) !== '<' || isNext) return at >= text.length && isCut ? -1 : closer;
  }
  return isCut ? -1 : closer;
}
