// An element named after the tool, with elements named after its parameters. Nothing but offered and declared names
// opens anything, so ordinary markup is never a call.
import { ELEMENT_ANCHOR } from '../anchors';
import { skipWhite } from '../json/blank';
import { standsAlone } from '../line-place';
import { createPairFormat } from '../pairs/pair-format';
import { readEmission } from '../pairs/read-emission';
import type { Emission } from '../pairs/read-emission';
import { isAngleCloserCut, readAngleTag } from '../pairs/spelling';
import type { PairSpelling } from '../pairs/spelling';
import { findNameEnd } from '../pairs/tag';
import { writePairs, writeText } from '../pairs/write-pairs';
import type { RescueContext } from '../rescue-context';
import type { RescueFormat, WrittenCall } from '../rescue-format';
import { findProperties } from '../schema-types';

export const toolTagXml: RescueFormat = createPairFormat({
  id: 'tool-tag-xml',
  title: 'Cline and Roo: an element named after the tool',
  openers: [],
  firstCharacters: '<',
  anchor: ELEMENT_ANCHOR,
  spelling: createSpelling(''),
  read: (context, at) => readToolTag(context, at),
  write: (calls) => calls.map(writeElement).join('\n'),
});

function readToolTag(context: RescueContext, at: number): Emission | null {
  const { text, tools } = context;
  if (text.charCodeAt(at) !== 60) return null;
  const nameEnd = findNameEnd(text, at + 1);
  const name = text.slice(at + 1, nameEnd);
  const isPlain =
    nameEnd > at + 1 && (text.startsWith('>', nameEnd) || text.startsWith('/>', skipWhite(text, nameEnd)));
  const tool = isPlain ? tools.resolve(name)?.tool : undefined;
  if (!tool) return null;
  const spelling = createSpelling(name);
  const tag = spelling.readTag(context, at);
  if (!tag || !(tag.isEmpty || isCallBody(context, tag.end, name, tool.parameters))) return null;
  const isNamed = tag.isEmpty || text.startsWith('</', skipWhite(text, tag.end));
  // within a sentence it is only mentioned
  return isNamed && !standsAlone(text, at) ? null : readEmission(context, at, spelling);
}

/** A declared parameter, the end of the call, or an object: nothing else follows a tool's name. */
function isCallBody({ text }: RescueContext, from: number, name: string, schema: unknown): boolean {
  const at = skipWhite(text, from);
  if (text.startsWith(`</${name}>`, at)) return true;
  if (text.charAt(at) === '{') return true;
  if (text.charAt(at) !== '<') return at >= text.length;
  const end = findNameEnd(text, at + 1);
  const isDeclared = Object.hasOwn(findProperties(schema) ?? {}, text.slice(at + 1, end));
  return isDeclared && (text.startsWith('>', end) || text.startsWith('/>', end) || end >= text.length);
}

/** The tool's own name is the only one that means anything; parameters are known by the schema. */
function createSpelling(name: string): PairSpelling {
  const options = {
    roles: { [name.toLowerCase()]: 'call' as const },
    locate: (fullName: string) => (fullName.includes('|') ? null : { space: '', name: fullName }),
  };
  return {
    lead: '<',
    slash: '</',
    readTag(source, at) {
      const tag = readAngleTag(source, at, options);
      // `<name>` is the call, `<Name>` may be anything
      if (tag?.role !== 'call') return tag;
      return tag.name === name ? { ...tag, label: name } : { ...tag, role: undefined };
    },
    isCloserCut: isAngleCloserCut,
    breaks: 'each',
    hasOwnNames: true,
  };
}

const writeElement = (call: WrittenCall): string =>
  `<${call.name}>\n${writePairs(call, (key, value) => `<${key}>${writeValue(value)}</${key}>\n`)}</${call.name}>`;

/** Several lines stand on lines of their own. */
function writeValue(value: unknown): string {
  const text = writeText(value);
  return text.includes('\n') ? `\n${text}\n` : text;
}
