// Calls whose name and arguments are adjacent elements: those of LangChain's XML agent, and the MCP wrapper of Cline and
// MiroThinker.
import { readCallCloser } from '../core/call-closer';
import { findTextParameter } from '../schema/check-arguments';
import { describeCall, rejectCut } from '../core/refusals';
import { readHeadedCall } from '../json-calls/headed-call';
import type { JsonCallHead } from '../json-calls/headed-call';
import { skipWhite } from '../text/white-space';
import { isCallName } from '../pairs/read-head';
import type { RescueContext } from '../core/rescue-context';
import { toRejectionReading, toSingleEmission } from '../core/rescue-format';
import type { FormatReading, RescueFormat, WrittenCall } from '../core/rescue-format';
import { findProperties } from '../schema/schema-types';
import { writeJson } from '../json/write-json';

const LONGEST_NAME = 160;

/** The short text of the element `name` at `at`; null when there is no such element. */
function readShort(text: string, at: number, name: string): { text: string; end: number } | null {
  const open = `<${name}>`;
  if (!text.startsWith(open, at)) return null;
  const window = text.slice(at + open.length, at + open.length + LONGEST_NAME);
  const close = window.indexOf(`</${name}>`);
  if (close === -1) return null;
  return { text: window.slice(0, close).trim(), end: at + open.length + close + name.length + 3 };
}

const INPUT = 'tool_input';

export const langchainXml: RescueFormat = {
  id: 'langchain-xml',
  title: 'LangChain XML agent: <tool>NAME</tool><tool_input>',
  openers: ['<tool>'],
  evidence: 'marker',
  parse: parseLangchain,
  write: (calls) => calls.map(writeLangchain).join('\n'),
};

const writeLangchain = ({ name, arguments: value }: WrittenCall): string =>
  `<tool>${name}</tool><${INPUT}>${writeJson(value)}</${INPUT}>`;

function parseLangchain(context: RescueContext, at: number): FormatReading | null {
  const { text } = context;
  const name = readShort(text, at, 'tool');
  if (!name || !isCallName(name.text)) return null;
  const inputAt = skipWhite(text, name.end);
  if (!text.startsWith(`<${INPUT}>`, inputAt)) return null;
  const bodyAt = inputAt + INPUT.length + 2;
  const head = { name: name.text, start: at, bodyAt, repairs: [], ends: [`</${INPUT}>`] };
  const isJson = text.charAt(skipWhite(text, head.bodyAt)) === '{';
  return isJson
    ? readHeadedCall(context, head, (end) => readCallCloser(context, end, `</${INPUT}>`))
    : readTextInput(context, head);
}

/** Reads plain text as the value of the only parameter that it can belong to. */
function readTextInput(context: RescueContext, { name, start, bodyAt }: JsonCallHead): FormatReading {
  const { text, tools } = context;
  const close = context.find(`</${INPUT}>`, bodyAt);
  if (close === -1) return rejectCut(context, start, name, `inside \`${INPUT}\``);
  const written = text.slice(bodyAt, close);
  const end = close + INPUT.length + 3;
  const schema = tools.resolve(name)?.tool.parameters;
  const [, first = ''] = DAMAGED_OBJECT.exec(written) ?? [];
  if (Object.hasOwn(findProperties(schema) ?? {}, first)) {
    const detail = `${describeCall(name)} has an object in \`${INPUT}\` that is damaged before its first key.`;
    return toRejectionReading({ start, end }, name, { reason: 'malformed', detail });
  }
  const key = findTextParameter(schema);
  const value = key === undefined || written.trim() === '' ? written : { [key]: written };
  return toSingleEmission({ name, arguments: value, start, end, repairs: [] });
}

/** At most one sign that is not the opening bracket, a key in quotes with its colon, and a closing bracket at the end. */
const DAMAGED_OBJECT = /^\s{0,8}[^\w\s"'[]?["'](\w{1,64})["']\s{0,8}:(?=[^]*\}\s*$)/;

const WRAPPER = 'use_mcp_tool';
const ARGUMENTS = '<arguments>';
const ARGUMENTS_END = '</arguments>';
/** The server's name that is written, because a call does not have one. It is ignored when a call is read. */
const SERVER = 'mcp';

export const useMcpTool: RescueFormat = {
  id: 'use-mcp-tool',
  title: 'Cline and MiroThinker: <use_mcp_tool>',
  openers: [`<${WRAPPER}>`],
  evidence: 'marker',
  parse: parseMcp,
  write: (calls) => calls.map(writeMcp).join('\n'),
};

const writeMcp = ({ name, arguments: value }: WrittenCall): string =>
  [
    `<${WRAPPER}>`,
    `<server_name>${SERVER}</server_name>`,
    `<tool_name>${name}</tool_name>`,
    ARGUMENTS,
    writeJson(value),
    ARGUMENTS_END,
    `</${WRAPPER}>`,
  ].join('\n');

function parseMcp(context: RescueContext, start: number): FormatReading | null {
  const { text } = context;
  const first = skipWhite(text, start + WRAPPER.length + 2);
  const server = readShort(text, first, 'server_name');
  const nameAt = skipWhite(text, server?.end ?? first);
  const named = readShort(text, nameAt, 'tool_name');
  if (!named || !isCallName(named.text)) return null;
  const { text: name } = named;
  // The server may also follow the name.
  const other = server ? null : readShort(text, skipWhite(text, named.end), 'server_name');
  const nameEnd = other?.end ?? named.end;
  const argumentsAt = skipWhite(text, nameEnd);
  const hasArguments = text.startsWith(ARGUMENTS, argumentsAt);
  const bodyAt = hasArguments ? skipWhite(text, argumentsAt + ARGUMENTS.length) : nameEnd;
  const isEmpty = hasArguments && text.startsWith(ARGUMENTS_END, bodyAt);
  if (hasArguments && !isEmpty) {
    const head = { name, start, bodyAt, repairs: [], ends: [`</${WRAPPER}>`] };
    const reading = readHeadedCall(context, head, (end) => {
      const inner = readCallCloser(context, end, ARGUMENTS_END);
      const outer = readCallCloser(context, inner.end, `</${WRAPPER}>`);
      const repairs = [...inner.repairs, ...outer.repairs];
      return { end: outer.end, repairs, isOpen: inner.isOpen || outer.isOpen };
    });
    if (reading) return reading;
    if (bodyAt >= text.length) return rejectCut(context, start, name, 'before its arguments');
    const detail = `${describeCall(name)} has no JSON in \`${ARGUMENTS}\`.`;
    return toRejectionReading({ start, end: bodyAt }, name, { reason: 'malformed', detail });
  }
  const closer = readCallCloser(context, isEmpty ? bodyAt + ARGUMENTS_END.length : bodyAt, `</${WRAPPER}>`);
  // A call that is cut off before its arguments is not complete.
  if (closer.isOpen && !hasArguments) return rejectCut(context, start, name, 'inside the call');
  const { end, repairs, isOpen } = closer;
  return toSingleEmission({ name, arguments: undefined, start, end, repairs: [] }, { repairs, isOpen });
}
