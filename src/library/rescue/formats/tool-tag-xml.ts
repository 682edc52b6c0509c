// Calls of Cline and Roo: an element named after the tool, with elements named after its parameters. Only the names of
// offered tools and declared parameters count, so ordinary markup is never a call.
import { ELEMENT_PATTERN } from '../candidates/start-patterns';
import { skipWhite } from '../text/white-space';
import { standsAlone } from '../regions/line-position';
import { createPairFormat } from '../pairs/pair-format';
import { readEmission } from '../pairs/read-emission';
import type { Emission } from '../pairs/emission';
import { createAngleSpelling } from '../pairs/angle-spelling';
import type { PairSpelling } from '../pairs/spelling';
import { findTagNameEnd } from '../text/names';
import { writePairs, writeText } from '../pairs/write-pairs';
import type { RescueContext } from '../core/rescue-context';
import type { RescueFormat, WrittenCall } from '../core/rescue-format';
import { findProperties } from '../schema/schema-types';

export const toolTagXml: RescueFormat = createPairFormat({
  id: 'tool-tag-xml',
  title: 'Cline and Roo: an element named after the tool',
  openers: [],
  infoStrings: ['xml'],
  firstCharacters: '<',
  startPattern: ELEMENT_PATTERN,
  spelling: createSpelling(''),
  read: (context, at) => readToolTag(context, at),
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
  const closer = findOuterCloser(context, nameEnd, name, tool.parameters);
  const spelling = createSpelling(name, closer === undefined ? undefined : [at, closer]);
  const tag = spelling.readTag(context, at);
  if (!tag || !(tag.isEmpty || isCallBody(context, tag.end, name, tool.parameters))) return null;
  const isNamed = tag.isEmpty || text.startsWith('</', skipWhite(text, tag.end));
  // An empty element inside a sentence only mentions the tool.
  return isNamed && !standsAlone(context, at) ? null : readEmission(context, at, spelling);
}

/** Whether a call's body is at `from`: an object, a declared element or one around it, the closing tag, the text's end. */
function isCallBody(context: RescueContext, from: number, name: string, schema: unknown): boolean {
  const { text } = context;
  const at = skipWhite(text, from);
  if (text.startsWith(`</${name}>`, at)) return true;
  if (text.charAt(at) === '{') return true;
  if (text.charAt(at) !== '<') return at >= text.length;
  const declared = findProperties(schema) ?? {};
  if (isElementOf(text, at, (key) => Object.hasOwn(declared, key))) return true;
  const closer = isElementOf(text, at, () => true) ? context.find(`</${name}>`, at) : -1;
  const inside = closer === -1 ? '' : text.slice(at, Math.min(closer, at + LONGEST_LOOK));
  return inside !== '' && Object.keys(declared).some((key) => inside.includes(`</${key}>`));
}

const LONGEST_LOOK = 4096;

function isElementOf(text: string, at: number, isOurs: (name: string) => boolean): boolean {
  const end = findTagNameEnd(text, at + 1);
  const isName = end > at + 1 && isOurs(text.slice(at + 1, end));
  return isName && (' >'.includes(text.charAt(end)) || text.startsWith('/>', end) || end >= text.length);
}

/** Start of the tag that closes the tool's element, if a parameter has the same name; undefined when none has. */
function findOuterCloser(
  context: RescueContext,
  from: number,
  name: string,
  schema: unknown,
): number | undefined {
  if (!Object.hasOwn(findProperties(schema) ?? {}, name)) return undefined;
  const closer = `</${name}>`;
  for (let at = context.find(closer, from); at !== -1; at = context.find(closer, at + 1)) {
    const next = skipWhite(context.text, at + closer.length);
    if (context.text.startsWith(closer, next)) return next;
  }
  return undefined;
}

/**
 * The spelling in which only the tool's name is a tag; parameters are found by the schema.
 * @param places Offsets of the tags of the call, needed if a parameter has the same name as the tool.
 */
function createSpelling(name: string, places?: readonly number[]): PairSpelling {
  const spelling = createAngleSpelling(
    {
      roles: { [name.toLowerCase()]: 'call' },
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
