// Calls as Devstral writes them: the tool's name on a line of its own, and below it elements named after the parameters.
import { CUT_HINT } from '../core/refusals';
import { toRecord } from '../../util/json';
import type { JsonRecord } from '../../util/json';
import { readNameBefore } from '../candidates/name-before';
import { setOwn } from '../core/call-keys';
import { requiredParameters, toPath } from '../schema/check-arguments';
import { findProperties, findTypes } from '../schema/schema-types';
import { typeValue } from '../schema/type-value';
import { startsLine } from '../regions/line-position';
import { findTagNameEnd } from '../text/names';
import { skipWhiteBefore } from '../text/cut-text';
import { skipWhite } from '../text/white-space';
import type { StartPattern } from '../text/prefilter';
import type { RescueRepair } from '../../../types';
import type { RescueContext } from '../core/rescue-context';
import type { CallsReading, RejectionReading, RescueFormat, SchemaIssue } from '../core/rescue-format';
import { writePairs, writeText } from '../pairs/write-pairs';

/** Matches at the bracket of an element on the line below a name. */
const NAME_LINE_PATTERN: StartPattern = (_first, { end }) =>
  `(?<=${end}:?[ \\t\\r]{0,4}\\n[ \\t]{0,16}<)[A-Za-z_]`;

export const nameLineXml: RescueFormat = {
  id: 'name-line-xml',
  title: 'Devstral: the name on a line, elements below it',
  nativeHint: 'No server reads it as a call: use the chat template of the model.',
  openers: [],
  firstCharacters: '<',
  startPattern: NAME_LINE_PATTERN,
  evidence: 'shape',
  parse: (context, at) => parseCall(context, at),
  write: (calls) =>
    calls.some((call) => Object.keys(call.arguments).length === 0)
      ? undefined
      : calls
          .map((call) =>
            `${call.name}\n${writePairs(call, (key, value) => `<${key}>${writeText(value)}</${key}>\n`)}`.trimEnd(),
          )
          .join('\n'),
};

interface Body {
  values: JsonRecord;
  repairs: RescueRepair[];
  issues: SchemaIssue[];
  end: number;
  /** The parameter whose closing tag is missing because the text ends. */
  cutIn?: string | undefined;
}

function parseCall(context: RescueContext, at: number): CallsReading | RejectionReading | null {
  const { text, tools } = context;
  const lineEnd = skipWhiteBefore(text, at);
  const nameEnd = text.charAt(lineEnd - 1) === ':' ? lineEnd - 1 : lineEnd;
  if (!text.slice(lineEnd, at).includes('\n')) return null;
  const named = readNameBefore(context, nameEnd);
  const schema = named && tools.resolve(named.name)?.tool.parameters;
  const declared = schema && findProperties(schema);
  if (!named || !declared || !isAlone(context, named.start)) return null;
  const { name, start } = named;
  const body = readElements(context, at, declared, schema);
  if (body.cutIn !== undefined) {
    const detail = `The call of \`${name}\` stops inside the parameter \`${body.cutIn}\`: the reply was cut. Nothing was run.`;
    return { kind: 'rejection', start, end: text.length, name, reason: 'truncated', detail, hint: CUT_HINT };
  }
  const isWhole = requiredParameters(toRecord(schema)).every((key) => Object.hasOwn(body.values, key));
  if (body.end === at || !isWhole) return null;
  const closer = skipWhite(text, body.end);
  const end = text.startsWith(`</${name}>`, closer) ? closer + name.length + 3 : body.end;
  const { values, repairs, issues } = body;
  const call = { name, arguments: values, start, end, repairs, ...(issues.length > 0 && { issues }) };
  return { kind: 'calls', start, end, calls: [call], repairs: [], isOpen: false };
}

/** Whether only spaces and tabs precede it on its line. */
const isAlone = (context: RescueContext, start: number): boolean =>
  startsLine(context, start) ||
  /(?:^|\n)[ \t]{1,16}$/.test(context.text.slice(Math.max(0, start - 20), start));

/** Reads elements named after declared parameters, each up to its own closing tag. */
function readElements(context: RescueContext, from: number, declared: JsonRecord, schema: unknown): Body {
  const { text } = context;
  const body: Body = { values: {}, repairs: [], issues: [], end: from };
  let at = from;
  while (text.charAt(at) === '<') {
    const nameEnd = findTagNameEnd(text, at + 1);
    const key = text.slice(at + 1, nameEnd);
    if (text.charAt(nameEnd) !== '>' || !Object.hasOwn(declared, key) || Object.hasOwn(body.values, key))
      break;
    const closer = context.find(`</${key}>`, nameEnd);
    if (closer === -1) {
      body.cutIn = key;
      break;
    }
    const typed = typeValue(trimBreaks(text.slice(nameEnd + 1, closer)), findTypes(declared[key], schema));
    setOwn(body.values, key, typed.value);
    body.repairs.push(...typed.repairs.map((repair) => ({ ...repair, at })));
    if (typed.issue !== undefined) body.issues.push({ path: toPath(key), message: typed.issue });
    body.end = closer + key.length + 3;
    context.meter.spend(at, body.end);
    at = skipWhite(text, body.end);
  }
  return body;
}

/** Removes the line breaks around a value that is on lines of its own. */
const trimBreaks = (text: string): string =>
  text.startsWith('\n') && text.endsWith('\n') && text.length > 1 ? text.slice(1, -1) : text;
