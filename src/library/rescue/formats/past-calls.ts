// Calls as programs write past ones into the prompt, where a server has no place for them: `[Calling tool: NAME({…})]` of
// vllm-mlx, `[Tool Call: NAME (ID: …)]` with its arguments below, and others. A model that reads such a history imitates it.
import { describeCall, rejectCut } from '../core/refusals';
import { createLabelPattern } from '../candidates/start-patterns';
import type { RescueContext } from '../core/rescue-context';
import { toRejectionReading, toSingleEmission } from '../core/rescue-format';
import type { FormatReading, Refusal, RescueFormat } from '../core/rescue-format';
import { readArguments, rejectArguments } from '../json-calls/read-arguments';
import { readPlainName } from '../json-calls/read-named-calls';
import { skipToken } from '../json-calls/token';
import { writeJson } from '../json/write-json';
import { lineBefore, startsLine } from '../regions/line-position';
import { skipWhite } from '../text/white-space';

/** What opens a past call in brackets. */
const BRACKETED = [
  '[Tool call:',
  '[Tool use:',
  '[Tool invocation:',
  '[tool_call:',
  '[tool_use:',
  '[Function call:',
  '[function_call:',
  '[Called tool:',
  '[Using tool:',
  '[Used tool:',
  '[Assistant called tool:',
  '[Assistant tool call:',
  '[Assistant tool use:',
  '[Previous tool call',
  '[Previous tool use',
  '[Previous assistant tool call',
  '[Previous assistant tool use',
];
/** What opens one without brackets. Only at the start of the reply: elsewhere it is a line of a list or of a report. */
const BARE = ['→', '⏺'];
const TOOL = 'Tool';

const CALLING = '[Calling tool:';
const CALLING_END = ')]';

export const callingTool: RescueFormat = {
  id: 'calling-tool',
  title: 'Past calls as prompts show them: [Calling tool: NAME({…})]',
  nativeHint: 'No server reads it as a call: use the chat template of the model.',
  openers: [CALLING, ...BRACKETED, ...BARE],
  firstCharacters: ':',
  startPattern: createLabelPattern(`${TOOL}:`),
  leads: [`^${TOOL}:`],
  evidence: 'label',
  parse(context, at, opener) {
    const start = opener === '' ? at - TOOL.length : at;
    if (start < context.consumedTo || !startsLine(context, start)) return null;
    return opener === CALLING
      ? parseCalling(context, at)
      : parsePast(context, start, opener === '' || BARE.includes(opener));
  },
  write: (calls) =>
    calls.map((call) => `${CALLING} ${call.name}(${writeJson(call.arguments)}${CALLING_END}`).join('\n'),
};

function parseCalling(context: RescueContext, start: number): FormatReading | null {
  const { text } = context;
  const named = readPlainName(context, skipWhite(text, start + CALLING.length));
  if (!named) return null;
  const { name } = named;
  const bracket = skipWhite(text, named.end);
  if (bracket >= text.length) return rejectCut(context, start, name, 'before its end');
  const body = text.charAt(bracket) === '(' ? readArguments(context, bracket + 1) : null;
  if (!body) return null;
  const lineEnd = context.findFirst(['\n'], start)?.start;
  if (body.failure) return rejectArguments(context, { start, name }, body.failure, lineEnd);
  const closer = skipWhite(text, body.end);
  if (closer >= text.length || text.slice(closer) === ')')
    return rejectCut(context, start, name, 'before its end');
  const end = text.charAt(closer) === ')' ? skipToken(text, closer + 1, ']') : -1;
  if (end === -1) {
    const detail = `${describeCall(name)} breaks at offset ${closer}: expected \`${CALLING_END}\`.`;
    return toRejectionReading({ start, end: lineEnd ?? text.length }, name, { reason: 'malformed', detail });
  }
  const { value, repairs, issues } = body;
  const call = { name, arguments: value, start, end, repairs, issues };
  return toSingleEmission(call, { needsEnd: true });
}

const GAP = '\\s{0,4}';
const LABEL = `(?:${GAP}(?:with )?(?:arguments|args|input|parameters)\\s?:?|\\swith\\s)?`;
const ID = `(?:[([]\\s?(?:call[ _-])?id\\s?[:=#]?\\s{0,2}([\\w-]{1,80})[)\\]])?`;
/** The name, perhaps after a label of its own and with an id behind it, up to the arguments. */
const HEAD = new RegExp(
  `(?:\\[[\\w -]{1,40}|→|⏺|tool)${GAP}(:|\\])?${GAP}(?:(?:tool|name|tool name)\\s?:${GAP})?` +
    `\`?([\\w./:-]{1,128}?)\`?${GAP}${ID}${GAP}(\\])?,?${LABEL}${GAP}(\\()?${GAP}(?=\\{|[\`~]{3})`,
  'iy',
);

/** Reads a past call of an offered tool. It counts at the end of the reply only, and not where words announce a report. */
function parsePast(context: RescueContext, start: number, isBare: boolean): FormatReading | null {
  const { text } = context;
  HEAD.lastIndex = start;
  const [written, sign, name = '', id, closed, bracket] = HEAD.exec(text) ?? [];
  if (written === undefined || !context.isTool(name)) return null;
  const previous = lineBefore(text, start);
  // A call before this one says nothing about it.
  const before = previous.start < context.consumedTo ? '' : previous.line;
  // In a fence it is a log.
  if ((isBare && before !== '') || /^[`~]{3}/.test(before)) return null;
  const body = readArguments(context, start + written.length, true);
  if (!body) return null;
  const lineEnd = context.findFirst(['\n'], start)?.start;
  if (body.failure) return rejectArguments(context, { start, name }, body.failure, lineEnd);
  const isBracketed = !isBare && sign !== ']' && closed === undefined;
  const end = skipEnd(text, body.end, bracket !== undefined, isBracketed);
  if (end === -1)
    return skipWhite(text, body.end) < text.length ? null : rejectCut(context, start, name, 'before its end');
  const isReport = before.endsWith(':') || RESULT.test(text.slice(end, end + LONGEST_LABEL));
  if (isReport) return toRejectionReading({ start, end }, name, toReported(name));
  const { value, issues } = body;
  const repairs = body.repairs.filter(({ kind }) => kind !== 'extra-closer');
  const imitated = { kind: 'imitated-history', at: start, note: 'a past call as a prompt shows it' };
  const call = { name, id, arguments: value, start, end, repairs: [imitated, ...repairs], issues };
  return toSingleEmission(call, { needsEnd: true });
}

/** The end of the brackets around the call; -1 when they are not closed. The reader of the arguments skips square ones. */
function skipEnd(text: string, from: number, hasRound: boolean, hasSquare: boolean): number {
  const end = hasRound ? skipToken(text, from, ')') : from;
  if (!hasSquare || end === -1 || text.charAt(end - 1) === ']') return end;
  return skipToken(text, end, ']');
}

/** What follows where the result of the call is told too. */
const RESULT = /^\s{0,8}\[?(?:previous |assistant )?(?:tool[ _-]?)?(?:result|output|response|returned)/i;
const LONGEST_LABEL = 64;

const toReported = (name: string): Refusal => ({
  reason: 'example',
  detail: `${describeCall(name)} is written as the history of a conversation shows a past one, and may only report what was done.`,
  hint: 'If a call was meant, the model imitates the history in the prompt: send past calls as messages with `tool_calls`, not as text.',
});
