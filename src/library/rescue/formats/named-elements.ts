// Calls whose name and arguments are adjacent elements: those of LangChain's XML agent, and the MCP wrapper of Cline and
// MiroThinker.
import type { RescueRepair } from '../../../types';
import { toRecord } from '../../util/json';
import { readCallCloser } from '../core/call-closer';
import { requiredParameters } from '../schema/check-arguments';
import { CUT_HINT } from '../core/refusals';
import { skipWhite } from '../text/white-space';
import { readJson } from '../json/read-json';
import { isCallName } from '../pairs/read-head';
import { checkWritten } from '../pairs/write-pairs';
import type { RescueContext } from '../core/rescue-context';
import type {
  FormatReading,
  ReadCall,
  RejectionReading,
  RescueFormat,
  WrittenCall,
} from '../core/rescue-format';
import { findProperties, findTypes } from '../schema/schema-types';
import { writeJson } from '../json/write-json';

const LONGEST_NAME = 160;

interface Body {
  value: unknown;
  end: number;
  repairs: readonly RescueRepair[];
  isOpen: boolean;
}

/** The short text of the element `name` at `at`; null when there is no such element. */
function readShort(text: string, at: number, name: string): { text: string; end: number } | null {
  const open = `<${name}>`;
  if (!text.startsWith(open, at)) return null;
  const window = text.slice(at + open.length, at + open.length + LONGEST_NAME);
  const close = window.indexOf(`</${name}>`);
  if (close === -1) return null;
  return { text: window.slice(0, close).trim(), end: at + open.length + close + name.length + 3 };
}

/** Reads JSON up to its own end, then the closing tag. A rejection when the JSON cannot be read. */
function readJsonElement(
  context: RescueContext,
  at: number,
  element: string,
  head: Head,
): Body | RejectionReading {
  const { value, failure, end, repairs } = readJson(context, at, 'arguments');
  if (failure) return toRejection(head, failure.reason === 'truncated', failure.inside, failure.at);
  const closer = readCallCloser(context, end, `</${element}>`);
  return { value, end: closer.end, repairs: [...repairs, ...closer.repairs], isOpen: closer.isOpen };
}

interface Head {
  name: string;
  start: number;
}

function toRejection({ name, start }: Head, isCut: boolean, inside: string, at: number): RejectionReading {
  const whose = `The call of \`${name.slice(0, 64)}\``;
  const base = { kind: 'rejection' as const, start, end: at, name };
  return isCut
    ? {
        ...base,
        reason: 'truncated',
        detail: `${whose} stops inside ${inside}: the reply was cut. Nothing was run.`,
        hint: CUT_HINT,
      }
    : {
        ...base,
        reason: 'malformed',
        detail: `${whose} is no JSON that could be repaired: the reading failed at ${at}, in ${inside}.`,
      };
}

function toCalls(
  { name, start }: Head,
  body: Body,
  end: number,
  closers: readonly RescueRepair[],
): FormatReading {
  const call: ReadCall = { name, arguments: body.value, start, end, repairs: body.repairs };
  return { kind: 'calls', start, end, calls: [call], repairs: closers, isOpen: body.isOpen };
}

const INPUT = 'tool_input';

export const langchainXml: RescueFormat = {
  id: 'langchain-xml',
  title: 'LangChain XML agent: <tool>NAME</tool><tool_input>',
  openers: ['<tool>'],
  evidence: 'marker',
  parse: parseLangchain,
  write: (calls, dialects) =>
    checkWritten(calls.map(writeLangchain).join('\n'), calls, { parse: parseLangchain, dialects }),
};

const writeLangchain = ({ name, arguments: value }: WrittenCall): string =>
  `<tool>${name}</tool><${INPUT}>${writeJson(value)}</${INPUT}>`;

function parseLangchain(context: RescueContext, at: number): FormatReading | null {
  const { text } = context;
  const name = readShort(text, at, 'tool');
  if (!name || !isCallName(name.text)) return null;
  const inputAt = skipWhite(text, name.end);
  if (!text.startsWith(`<${INPUT}>`, inputAt)) return null;
  const head = { name: name.text, start: at };
  const from = inputAt + INPUT.length + 2;
  const bodyAt = skipWhite(text, from);
  const body =
    text.charAt(bodyAt) === '{'
      ? readJsonElement(context, bodyAt, INPUT, head)
      : readTextElement(context, from, head);
  if ('kind' in body) return body;
  return toCalls(head, body, body.end, []);
}

/** Reads plain text as the value of the only parameter that it can belong to. */
function readTextElement(context: RescueContext, from: number, head: Head): Body | RejectionReading {
  const { text, tools } = context;
  const close = context.find(`</${INPUT}>`, from);
  if (close === -1) return toRejection(head, true, `\`${INPUT}\``, text.length);
  const written = text.slice(from, close);
  const end = close + INPUT.length + 3;
  const key = findTextParameter(tools.resolve(head.name)?.tool.parameters);
  const value = key === undefined || written.trim() === '' ? written : { [key]: written };
  return { value, end, repairs: [], isOpen: false };
}

/** The tool's only parameter, or its only required one, if it is a string. */
function findTextParameter(schema: unknown): string | undefined {
  const properties = findProperties(schema) ?? {};
  const keys = Object.keys(properties);
  const required = requiredParameters(toRecord(schema));
  const [key] = keys.length === 1 ? keys : required;
  const isOnly = key !== undefined && (keys.length === 1 || required.length === 1);
  return isOnly && findTypes(properties[key], schema).includes('string') ? key : undefined;
}

const WRAPPER = 'use_mcp_tool';
/** The server's name that is written, because a call does not have one. It is ignored when a call is read. */
const SERVER = 'mcp';

export const useMcpTool: RescueFormat = {
  id: 'use-mcp-tool',
  title: 'Cline and MiroThinker: <use_mcp_tool>',
  openers: [`<${WRAPPER}>`],
  evidence: 'marker',
  parse: parseMcp,
  write: (calls, dialects) =>
    checkWritten(calls.map(writeMcp).join('\n'), calls, { parse: parseMcp, dialects }),
};

const writeMcp = ({ name, arguments: value }: WrittenCall): string =>
  [
    `<${WRAPPER}>`,
    `<server_name>${SERVER}</server_name>`,
    `<tool_name>${name}</tool_name>`,
    '<arguments>',
    writeJson(value),
    '</arguments>',
    `</${WRAPPER}>`,
  ].join('\n');

function parseMcp(context: RescueContext, at: number): FormatReading | null {
  const { text } = context;
  const first = skipWhite(text, at + WRAPPER.length + 2);
  const server = readShort(text, first, 'server_name');
  const nameAt = skipWhite(text, server?.end ?? first);
  const name = readShort(text, nameAt, 'tool_name');
  if (!name || !isCallName(name.text)) return null;
  const head = { name: name.text, start: at };
  const argumentsAt = skipWhite(text, name.end);
  const hasArguments = text.startsWith('<arguments>', argumentsAt);
  const bodyAt = skipWhite(text, argumentsAt + '<arguments>'.length);
  const isEmpty = hasArguments && text.startsWith('</arguments>', bodyAt);
  let body: Body | RejectionReading = { value: undefined, end: name.end, repairs: [], isOpen: false };
  if (isEmpty) body = { ...body, end: bodyAt + '</arguments>'.length };
  else if (hasArguments) body = readJsonElement(context, bodyAt, 'arguments', head);
  if ('kind' in body) return body;
  const closer = readCallCloser(context, body.end, `</${WRAPPER}>`);
  // A call that is cut off before its arguments is not complete.
  if (closer.isOpen && !hasArguments) return toRejection(head, true, 'the call', text.length);
  return toCalls(head, { ...body, isOpen: body.isOpen || closer.isOpen }, closer.end, closer.repairs);
}
