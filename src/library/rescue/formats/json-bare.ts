// A call object, or a list of them, without any marker. Its shape is the only evidence, so it must end the reply.
import { toBlockPattern } from '../candidates/start-patterns';
import { skipWhite } from '../text/white-space';
import { readBareCalls } from '../json-calls/bare-calls';
import { readCallBlock } from '../json/call-block';
import type { CallBlock } from '../core/json-reading';
import type { Brackets, RescueContext } from '../core/rescue-context';
import { writeCallJson } from '../json/write-json';
import type { RescueFormat, TextReading } from '../core/rescue-format';

export const jsonBare: RescueFormat = {
  id: 'json-bare',
  title: 'Bare JSON',
  nativeHint: 'A server with a parser for this model would return it natively; vLLM: `--tool-call-parser`.',
  openers: [],
  firstCharacters: '{[',
  startPattern: toBlockPattern,
  evidence: 'shape',
  parse(context, at) {
    // `{}` and `[]` are empty and cannot be calls.
    if ('}]'.includes(context.text.charAt(skipWhite(context.text, at + 1)) || ' ')) return null;
    const reading = readBareCalls(context, at);
    if (reading) return reading;
    const block = readCallBlock(context, at);
    // An empty list is skipped: it is no call, and its end may begin a token.
    if (!block || (block.elements.length === 0 && !block.failure)) return null;
    return block.failure ? toBroken(context, block) : { kind: 'text', end: block.end };
  },
  write(calls) {
    const [first] = calls;
    if (first && calls.length === 1) return writeCallJson(first);
    return `[${calls.map((call) => writeCallJson(call)).join(', ')}]`;
  },
};

/** Skips damaged data. If its bracket closes in this paragraph, what looks like a call inside it is data too. */
function toBroken(context: RescueContext, { start, end }: CallBlock): TextReading {
  const closer = findCloser(context, start);
  return { kind: 'text', end: closer === 0 ? end : Math.max(closer, end), isBroken: true };
}

/** The offset after the bracket, of any kind, that closes the one at `start`; 0 when none does in this paragraph. */
function findCloser(context: RescueContext, start: number): number {
  const known = context.lastBrackets;
  const isKnown = known !== undefined && start >= known.from && start < known.to;
  const brackets = isKnown ? known : matchBrackets(context, start);
  context.lastBrackets = brackets;
  const closer = brackets.closers[start - brackets.from] ?? 0;
  context.meter.reach(closer === 0 ? brackets.to : closer);
  return closer;
}

/** Matches all brackets of the paragraph at once, because a model in a loop may open hundreds of thousands of them. */
function matchBrackets({ text, meter }: RescueContext, from: number): Brackets {
  const end = text.indexOf('\n\n', from);
  const to = end === -1 ? text.length : end;
  const closers = new Int32Array(to - from);
  const open: number[] = [];
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 123 || code === 91) open.push(at);
    else if (code === 125 || code === 93) closers[(open.pop() ?? at) - from] = at + 1;
  }
  meter.steps += to - from;
  return { from, to, closers };
}
