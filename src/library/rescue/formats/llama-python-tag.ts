// Llama 3.1's calls of built-in tools: `<|python_tag|>brave_search.call(query="…")`. Anything else after that token is code
// for an interpreter, or JSON of another format.
import { skipWhite } from '../text/white-space';
import { readCallRun } from '../pythonic/read-call-run';
import type { CallRun } from '../pythonic/read-call-run';
import { toFailedRun } from '../pythonic/read-pythonic-block';
import { writePythonCalls } from '../pythonic/write-pythonic';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading, RescueFormat } from '../core/rescue-format';

const OPEN = '<|python_tag|>';
const METHOD = '.call';
const ENDS = ['<|eom_id|>', '<|eot_id|>'];

export const llamaPythonTag: RescueFormat = {
  id: 'llama-python-tag',
  title: 'Llama 3.1: a built-in tool after <|python_tag|>',
  openers: [OPEN],
  evidence: 'marker',
  parse(context, at, opener) {
    const from = skipWhite(context.text, at + opener.length);
    if ('{["\''.includes(context.text.charAt(from))) return null;
    const run = readCallRun(context, from);
    const names = [...(run?.calls ?? []), ...(run?.damage ? [run.damage] : [])].map(({ name }) => name ?? '');
    const isBuiltIn = run && !run.isList && names.every((name) => name.endsWith(METHOD) || name === '');
    return isBuiltIn && names[0] !== ''
      ? readRun(at, withoutMethod(run))
      : { kind: 'text', end: findTurnEnd(context, from) };
  },
  write(calls) {
    const methods = calls.map((call) => ({ ...call, name: `${call.name}${METHOD}` }));
    return `${OPEN}${writePythonCalls(methods, '; ')}`;
  },
};

const readRun = (at: number, run: CallRun): FormatReading =>
  run.damage ? toFailedRun(at, run) : { ...run, start: at };

function withoutMethod(run: CallRun): CallRun {
  const calls = run.calls.map((call) => ({ ...call, name: call.name.slice(0, -METHOD.length) }));
  if (!run.damage) return { ...run, calls };
  return { ...run, calls, damage: { ...run.damage, name: run.damage.name?.slice(0, -METHOD.length) } };
}

function findTurnEnd(context: RescueContext, from: number): number {
  const ends = ENDS.map((token) => context.find(token, from)).filter((end) => end !== -1);
  return Math.min(context.text.length, ...ends);
}
