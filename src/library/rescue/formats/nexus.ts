// Calls of NexusRaven: `Call: f(a="b"); g()<bot_end>`, often followed by a `Thought:` line.
import { createLabelPattern } from '../candidates/start-patterns';
import { endsLine, startsLine } from '../regions/line-position';
import { skipWhite } from '../text/white-space';
import { readCallRun } from '../pythonic/read-call-run';
import type { CallRun, FailedRun } from '../pythonic/read-call-run';
import { findFailedEnd, toFailedRun } from '../pythonic/read-pythonic-block';
import { writePythonCalls } from '../pythonic/write-pythonic';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, RescueFormat } from '../core/rescue-format';

const LABEL = 'call';
const CLOSE = '<bot_end>';
const THOUGHT = 'Thought:';

export const nexus: RescueFormat = {
  id: 'nexus',
  title: 'NexusRaven: Python calls after `Call:`',
  openers: [],
  closers: [CLOSE],
  firstCharacters: ':',
  startPattern: createLabelPattern('call:'),
  leads: ['^Call:'],
  evidence: 'label',
  parse(context, at) {
    const { text } = context;
    const start = at - LABEL.length;
    if (start < context.consumedTo || text.slice(start, at).toLowerCase() !== LABEL) return null;
    if (!startsLine(context, start)) return null;
    const run = readCallRun(context, skipWhite(text, at + 1));
    if (!run || run.isList) return null;
    return run.damage ? parseFailed(context, start, run) : toReading(context, start, run);
  },
  write: (calls) => `Call: ${writePythonCalls(calls, '; ')}${CLOSE}`,
};

function toReading(context: RescueContext, start: number, run: CallRun): FormatReading | null {
  const { text, tools } = context;
  const next = skipWhite(text, run.end);
  if (text.startsWith(CLOSE, next)) return { ...run, start, end: next + CLOSE.length };
  if (!endsLine(text, run.end) || !run.calls.every(({ name }) => tools.resolve(name))) return null;
  // With neither the closer nor a thought after it, the label is weak evidence.
  const evidence = text.startsWith(THOUGHT, next) ? 'label' : 'shape';
  const repairs = [...run.repairs, { kind: 'missing-close-tag', at: run.end }];
  return { ...run, start, repairs, evidence, isOpen: next >= text.length };
}

function parseFailed(context: RescueContext, start: number, run: FailedRun): FormatReading | null {
  const names = [...run.calls.map(({ name }) => name), run.damage.name ?? ''];
  return names.some((name) => context.tools.resolve(name))
    ? toFailedRun(start, run, findFailedEnd(context, start, run, CLOSE))
    : null;
}
