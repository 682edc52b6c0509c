// Calls as Devstral writes them: the tool's name on a line of its own, and below it elements named after the parameters.
import { toCutRefusal } from '../core/refusals';
import { readNameBefore } from '../candidates/look-back';
import { CallArguments } from '../pairs/call-arguments';
import { requiredParameters } from '../schema/check-arguments';
import { startsLine } from '../regions/line-position';
import { findTagNameEnd } from '../text/names';
import { skipWhiteBefore } from '../text/cut-text';
import { skipWhite } from '../text/white-space';
import type { StartPattern } from '../text/prefilter';
import type { RescueContext } from '../core/rescue-context';
import type { CallsReading, RejectionReading, RescueFormat, WrittenCall } from '../core/rescue-format';
import { writePairs, writeText } from '../pairs/write-pairs';
import { INVOKE_SPELLING } from './element-tags';

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
  parse: (context, at) => parseCall(context, at),
  write: (calls) => calls.map(writeCall).join('').trimEnd(),
};

const writeCall = (call: WrittenCall): string =>
  `${call.name}\n${writePairs(call, (key, value) => `<${key}>${writeText(value)}</${key}>\n`)}`;

function parseCall(context: RescueContext, at: number): CallsReading | RejectionReading | null {
  const { text, tools } = context;
  const lineEnd = skipWhiteBefore(text, at);
  const nameEnd = text.charAt(lineEnd - 1) === ':' ? lineEnd - 1 : lineEnd;
  if (!text.slice(lineEnd, at).includes('\n')) return null;
  const named = readNameBefore(context, nameEnd);
  if (!named || !isAlone(context, named.start)) return null;
  const { name, start } = named;
  const values = new CallArguments(context, INVOKE_SPELLING, name);
  const { end: bodyEnd, cutIn } = readElements(context, at, values);
  if (cutIn !== undefined)
    return {
      kind: 'rejection',
      start,
      end: text.length,
      name,
      ...toCutRefusal(name, `inside the parameter \`${cutIn}\``),
    };
  const required = requiredParameters(tools.resolve(name)?.tool.parameters);
  if (values.isEmpty || required.some((key) => values.isNew(key))) return null;
  const closer = skipWhite(text, bodyEnd);
  const end = text.startsWith(`</${name}>`, closer) ? closer + name.length + 3 : bodyEnd;
  const call = { name, start, end, ...values.finish(false) };
  // Without a closing tag, further elements may follow.
  return { kind: 'calls', start, end, calls: [call], repairs: [], isOpen: closer >= text.length };
}

/** Whether only spaces and tabs precede it on its line. */
const isAlone = (context: RescueContext, start: number): boolean =>
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
    const closer = context.find(`</${key}>`, nameEnd);
    if (closer === -1) return { end, cutIn: key };
    values.add(key, { text: text.slice(nameEnd + 1, closer), at: nameEnd + 1, hint: {} });
    end = closer + key.length + 3;
    context.meter.spend(at, end);
  }
  return { end };
}
