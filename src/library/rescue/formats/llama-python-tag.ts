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
    const names = [...(run?.calls ?? []), ...(run?.failure ? [run.failure] : [])].map(
      ({ name }) => name ?? '',
    );
    const isBuiltIn = run && !run.isList && names.every((name) => name.endsWith(METHOD) || name === '');
    return isBuiltIn && names[0] !== ''
      ? toReading(at, withoutMethod(run))
      : { kind: 'text', end: findTurnEnd(context, from) };
  },
  write(calls) {
    const body = writePythonCalls(
      calls.map((call) => ({ ...call, name: `${call.name}${METHOD}` })),
      '; ',
    );
    return body === undefined ? undefined : `${OPEN}${body}`;
  },
};

function toReading(at: number, run: CallRun): FormatReading {
  if (run.failure) return toFailedRun(at, run);
  const { end, calls, repairs, isOpen } = run;
  return { kind: 'calls', start: at, end, calls, repairs, isOpen };
}

function withoutMethod(run: CallRun): CallRun {
  const calls = run.calls.map((call) => ({ ...call, name: call.name.slice(0, -METHOD.length) }));
  const { failure } = run;
  const name = failure?.name?.slice(0, -METHOD.length);
  return failure ? { ...run, calls, failure: { ...failure, name } } : { ...run, calls };
}

function findTurnEnd(context: RescueContext, from: number): number {
  const ends = ENDS.map((token) => context.find(token, from)).filter((end) => end !== -1);
  return Math.min(context.text.length, ...ends);
}
