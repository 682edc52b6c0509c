// Calls of Gemma 2 and 3 and of Gemini: Python calls in a fence labelled `tool_code`, often inside `print(…)`. Any other
// program in such a fence is rejected.
import { findFenceEnd, readFenceClosing, readFenceOpening } from '../regions/fence';
import { isInProgram, startsLine } from '../regions/line-position';
import type { FenceOpening } from '../regions/fence';
import { skipWhite } from '../text/white-space';
import { skipPythonBlank } from '../pythonic/python-syntax';
import { readCallRun } from '../pythonic/read-call-run';
import { readPythonicBlock, toFailedRun } from '../pythonic/read-pythonic-block';
import { writePythonCalls } from '../pythonic/write-pythonic';
import type { RescueContext } from '../core/rescue-context';
import { toRejectionReading } from '../core/rescue-format';
import type { FormatReading, RejectionReading, RescueFormat } from '../core/rescue-format';

const INFO_STRING = 'tool_code';
const ALIASES = ['tool_call', 'tool', 'function_call'];
const TAG = '<tool_code>';
const FENCES = ['```', '````', '~~~'];
const PRINTED = 'print(tool_code)';
const VARIABLE = /(?:^|\n)[ \t]{0,3}(tool_code ?)$/;
const LONGEST_HEAD = 16;
const CALLED_NAME = /= ?([\w.]{1,128}\()/y;
/** What follows the fence when the model continued as if the calls had been run. */
const OUTPUTS = ['```tool_output', '```output'];

export const gemmaToolCode: RescueFormat = {
  id: 'gemma-tool-code',
  title: 'Gemma 2 and 3: Python calls in a `tool_code` fence',
  vllmParser: 'pythonic',
  openers: [TAG, ...[INFO_STRING, ...ALIASES].flatMap((info) => FENCES.map((fence) => `${fence}${info}`))],
  endTokens: ['<end_of_turn>', '<start_of_turn>model'],
  infoStrings: [INFO_STRING],
  firstCharacters: '=',
  startPattern: { before: 'tool_code ?' },
  evidence: 'label',
  parse(context, at, opener) {
    if (opener === '') return parseVariable(context, at);
    if (opener !== TAG) return parseFence(context, at, opener);
    const repairs = [{ kind: 'tag-alias', at }];
    return readPythonicBlock(context, at, opener, { close: '</tool_code>', repairs });
  },
  write: (calls) => `\`\`\`${INFO_STRING}\n${writePythonCalls(calls, '\n')}\n\`\`\``,
};

function parseFence(context: RescueContext, at: number, opener: string): FormatReading | null {
  const { text } = context;
  const opening = startsLine(context, at) ? readFenceOpening(text, at) : undefined;
  if (!opening || opening.infoString !== opener.replace(/^[`~]{3,4}/, '')) return null;
  const isOwn = opening.infoString === INFO_STRING;
  const body = skipPythonBlank(context, opening.bodyStart);
  const run = readCallRun(context, body);
  if (!run) return isOwn && !'{[`'.includes(text.charAt(body)) ? toProgram(context, at, body, opening) : null;
  const { damage } = run;
  if (damage) {
    // Unless the reply was cut, the rest of the fence is skipped.
    const closed = damage.reason === 'truncated' ? undefined : closeFence(context, damage.at, opening);
    return toFailedRun(at, run, damage, closed);
  }
  const end = readFenceClosing(text, run.end, opening);
  const isClosed = end > run.end;
  if (!isClosed && skipWhite(text, run.end) < text.length)
    return toProgram(context, at, run.end, opening, run.calls[0]?.name);
  return {
    ...run,
    start: at,
    end: isClosed ? end : text.length,
    repairs: [
      ...(isOwn ? [] : [{ kind: 'tag-alias', at }]),
      ...run.repairs,
      ...(isClosed ? [] : [{ kind: 'missing-close-tag', at: run.end }]),
    ],
    // If prose follows, the fence may only show what such a call looks like.
    evidence: isFinal(text, end) ? 'label' : 'shape',
    isOpen: run.isOpen || !isClosed,
  };
}

/** Reads `tool_code = f(…)` and a line that prints it, if they end the reply and are not part of a longer program. */
function parseVariable(context: RescueContext, at: number): FormatReading | null {
  const { text } = context;
  const head = VARIABLE.exec(text.slice(Math.max(context.consumedTo, at - LONGEST_HEAD), at));
  CALLED_NAME.lastIndex = at;
  const called = head && CALLED_NAME.exec(text);
  if (!called) return null;
  const start = at - (head[1] ?? '').length;
  if (isInProgram(context, start)) return null;
  const run = readCallRun(context, CALLED_NAME.lastIndex - (called[1] ?? '').length, { isLine: true });
  if (!run || run.damage || run.calls.length !== 1) return null;
  const line = skipWhite(text, run.end);
  if (text.slice(line).trim() !== PRINTED) return null;
  const repairs = [{ kind: 'print-wrapper', at: start }, ...run.repairs];
  return { ...run, start, end: line + PRINTED.length, repairs, needsEnd: true, isOpen: false };
}

function isFinal(text: string, end: number): boolean {
  const next = skipWhite(text, end);
  return (
    next >= text.length ||
    text.charAt(next) === '<' ||
    OUTPUTS.some((output) => text.startsWith(output, next))
  );
}

function toProgram(
  context: RescueContext,
  start: number,
  at: number,
  opening: FenceOpening,
  name?: string,
): RejectionReading {
  const detail = `The fence contains a program and not only calls: see offset ${at}. Nothing is ever evaluated.`;
  const span = { start, end: closeFence(context, at, opening) };
  return toRejectionReading(span, name, { reason: 'malformed', detail });
}

function closeFence({ text, meter }: RescueContext, from: number, opening: FenceOpening): number {
  const end = findFenceEnd(text, from, opening);
  meter.spend(from, end);
  return end;
}
