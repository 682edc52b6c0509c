// A call object, or a list of them, without any marker. Only its form speaks for it, so it must end the reply.
import { toBlockAnchor } from '../anchors';
import { skipWhite } from '../json/blank';
import { readBareCalls } from '../bare-calls';
import { readCallBlock } from '../call-block';
import type { CallBlock } from '../call-block';
import type { RescueContext } from '../rescue-context';
import { writeCallJson } from '../write-json';
import type { RescueFormat, TextReading } from '../rescue-format';

export const jsonBare: RescueFormat = {
  id: 'json-bare',
  title: 'Bare JSON',
  nativeHint: 'A server with a parser for this model would return it natively; vLLM: `--tool-call-parser`.',
  openers: [],
  firstCharacters: '{[',
  anchor: toBlockAnchor,
  evidence: 'shape',
  parse(context, at) {
    // there is nothing in `{}` and `[]`
    if ('}]'.includes(context.text.charAt(skipWhite(context.text, at + 1)) || ' ')) return null;
    const reading = readBareCalls(context, at);
    if (reading) return reading;
    const block = readCallBlock(context, at);
    // an empty list says nothing, and its end may begin a token
    if (!block || (block.elements.length === 0 && !block.failure)) return null;
    return block.failure ? toBroken(context, block) : { kind: 'text', end: block.end };
  },
  write(calls) {
    const [first] = calls;
    if (first && calls.length === 1) return writeCallJson(first);
    return `[${calls.map((call) => writeCallJson(call)).join(', ')}]`;
  },
};

/** Damaged data: what looks like a call further on in it is data as well, if its bracket closes in this paragraph. */
function toBroken({ text, meter }: RescueContext, { start, end }: CallBlock): TextReading {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 10 && text.charCodeAt(at + 1) === 10) break;
    at += 1;
    if (code === 123 || code === 91) depth += 1;
    else if (code === 125 || code === 93) depth -= 1;
    if (depth === 0) break;
  }
  meter.spend(start, at);
  return { kind: 'text', end: depth === 0 ? Math.max(at, end) : end, isBroken: true };
}
