// Gemma 2 and 3, Gemini: Python calls in a fence labelled `tool_code`, often inside `print(…)`. A program in such a
// fence is no call.
import { findFenceEnd, readFenceClosing, readFenceOpening } from '../fence';
import { startsLine } from '../line-place';
import type { FenceOpening } from '../fence';
import { skipWhite } from '../json/blank';
import { skipPythonBlank } from '../pythonic/literal-reading';
import { readCallRun } from '../pythonic/read-call-run';
import type { CallRun } from '../pythonic/read-call-run';
import { readPythonicBlock, toFailedRun } from '../pythonic/read-pythonic-block';
import { writePythonCalls } from '../pythonic/write-pythonic';
import type { RescueContext } from '../rescue-context';
import type { FormatReading, RejectionReading, RescueFormat } from '../rescue-format';

const LABEL = 'tool_code';
const ALIASES = ['tool_call', 'tool', 'function_call'];
const TAG = '<tool_code>';
/** What stands after the fence when the model went on as if it had been run. */
const OUTPUTS = ['```tool_output', '```output'];

export const gemmaToolCode: RescueFormat = {
  id: 'gemma-tool-code',
  title: 'Gemma 2 and 3: Python calls in a `tool_code` fence',
  nativeHint:
    'If the server is vLLM, start it with `--tool-call-parser pythonic` and a chat template for it to get it natively.',
  openers: [TAG, ...[LABEL, ...ALIASES].map((label) => `\`\`\`${label}`)],
  evidence: 'label',
  parse: (context, at, opener) =>
    opener === TAG
      ? readPythonicBlock(context, at, opener, {
          close: '</tool_code>',
          repairs: [{ kind: 'tag-alias', at }],
        })
      : parseFence(context, at, opener),
  write(calls) {
    const body = writePythonCalls(calls, '\n');
    return body === undefined ? undefined : `\`\`\`${LABEL}\n${body}\n\`\`\``;
  },
};

function parseFence(context: RescueContext, at: number, opener: string): FormatReading | null {
  const { text } = context;
  const opening = startsLine(text, at) ? readFenceOpening(text, at) : undefined;
  if (!opening || `\`\`\`${opening.label}` !== opener) return null;
  const isOwn = opening.label === LABEL;
  const body = skipPythonBlank(context, opening.bodyStart);
  const run = readCallRun(context, body);
  if (!run) return isOwn && !'{[`'.includes(text.charAt(body)) ? toProgram(context, at, body, opening) : null;
  if (run.failure) return parseFailed(context, at, run, opening);
  const end = readFenceClosing(text, run.end, opening);
  const isClosed = end > run.end;
  if (!isClosed && skipWhite(text, run.end) < text.length)
    return toProgram(context, at, run.end, opening, run.calls[0]?.name);
  return {
    kind: 'calls',
    start: at,
    end: isClosed ? end : text.length,
    calls: run.calls,
    repairs: [
      ...(isOwn ? [] : [{ kind: 'tag-alias', at }]),
      ...run.repairs,
      ...(isClosed ? [] : [{ kind: 'missing-close-tag', at: run.end }]),
    ],
    // with prose after it, it may show what such a call looks like
    evidence: isFinal(text, end) ? 'label' : 'shape',
    isOpen: run.isOpen || !isClosed,
  };
}

function isFinal(text: string, end: number): boolean {
  const next = skipWhite(text, end);
  return (
    next >= text.length ||
    text.charAt(next) === '<' ||
    OUTPUTS.some((output) => text.startsWith(output, next))
  );
}

function parseFailed(
  context: RescueContext,
  at: number,
  run: CallRun,
  opening: FenceOpening,
): FormatReading | null {
  const { failure } = run;
  if (!failure) return null;
  const reading = toFailedRun(context, at, run, '', []);
  if (failure.reason === 'truncated') return reading;
  const end = closeFence(context, failure.at, opening);
  if (reading?.kind === 'rejection') return { ...reading, end };
  return reading?.kind === 'calls' && reading.failure
    ? { ...reading, failure: { ...reading.failure, end } }
    : reading;
}

function toProgram(
  context: RescueContext,
  start: number,
  at: number,
  opening: FenceOpening,
  name?: string,
): RejectionReading {
  return {
    kind: 'rejection',
    start,
    end: closeFence(context, at, opening),
    reason: 'malformed',
    detail: `The fence holds a program and not only calls: see offset ${at}. Nothing is ever evaluated.`,
    name,
  };
}

function closeFence({ text, meter }: RescueContext, from: number, opening: FenceOpening): number {
  const end = findFenceEnd(text, from, opening);
  meter.spend(from, end);
  return end;
}
