// A call object, or a list of them, without any marker. Only its form speaks for it, so it must end the reply.
import { readCallBlock } from '../call-block';
import type { CallBlock } from '../call-block';
import { findFailedCall, readBlockCalls, toRejection } from '../read-calls';
import type { RescueContext } from '../rescue-context';
import { writeCallJson } from '../write-json';
import type { FormatReading, RescueFormat, TextReading } from '../rescue-format';

export const jsonBare: RescueFormat = {
  id: 'json-bare',
  title: 'Bare JSON',
  nativeHint: 'A server with a parser for this model would return it natively; vLLM: `--tool-call-parser`.',
  openers: [],
  firstCharacters: '{[',
  evidence: 'shape',
  parse(context, at) {
    const block = readCallBlock(context, at);
    if (!block) return null;
    const calls = readBlockCalls(context, block);
    const failure = isOfferedFailure(context, block)
      ? toRejection(block, calls.at(-1)?.end ?? at, endOfLine(context, block.end))
      : undefined;
    if (calls.length === 0 && failure) return failure;
    if (calls.length === 0)
      return block.failure ? toBroken(context, block) : { kind: 'text', end: block.end };
    return {
      kind: 'calls',
      start: at,
      end: failure?.start ?? (block.failure ? lastEnd(block, at) : block.end),
      calls,
      repairs: block.repairs,
      isOpen: block.isOpen,
      failure,
    } satisfies FormatReading;
  },
  write(calls) {
    const [first] = calls;
    if (first && calls.length === 1) return writeCallJson(first);
    return `[${calls.map((call) => writeCallJson(call)).join(', ')}]`;
  },
};

/** Braces are everywhere: a failed reading is worth a word only when it was about to call an offered tool. */
function isOfferedFailure(context: RescueContext, block: CallBlock): boolean {
  const name = findFailedCall(block)?.name;
  return name !== undefined && context.tools.resolve(name) !== undefined;
}

/** Damaged data: what looks like a call further on in it is data as well, if its bracket closes in this paragraph. */
function toBroken({ text, meter }: RescueContext, { start, end }: CallBlock): TextReading {
  let depth = 0;
  let at = start;
  while (at < text.length && !(text.charAt(at) === '\n' && text.charAt(at + 1) === '\n')) {
    const code = text.charCodeAt(at);
    at += 1;
    if (code === 123 || code === 91) depth += 1;
    else if (code === 125 || code === 93) depth -= 1;
    if (depth === 0) break;
  }
  meter.spend(start, at);
  return { kind: 'text', end: depth === 0 ? Math.max(at, end) : end, isBroken: true };
}

// what follows the damage on its line is still the argument, whatever it looks like
function endOfLine(context: RescueContext, at: number): number {
  const next = context.find('\n', at);
  return next === -1 ? context.text.length : next;
}

const lastEnd = (block: CallBlock, at: number): number => block.elements.at(-1)?.end ?? at + 1;
