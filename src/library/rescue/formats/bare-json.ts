// Calls in JSON without any marker: those of xLAM, those in the shapes in which servers return calls (messages, list
// entries, content blocks), bare objects and lists, and the same as the whole content of a code fence. The shape is the only
// evidence, so they must end the reply.
import { toBlockPattern } from '../candidates/start-patterns';
import { DECLARATION_LISTS, MESSAGE_KEYS, WRAPPER_KEYS } from '../core/call-keys';
import type { CallBlock } from '../core/json-reading';
import type { Brackets, RescueContext } from '../core/rescue-context';
import type { ReadCall, RescueFormat, TextReading, WrittenCall } from '../core/rescue-format';
import { readBlocks, readCallBlock } from '../json/call-block';
import { writeCallJson, writeCallList, writeJson } from '../json/write-json';
import { readBareCalls } from '../json-calls/bare-calls';
import { skipWhite } from '../text/white-space';
import { isRecord, parseJson } from '../../util/json';
import { skipBlank } from '../json/comments';
import { RepairLog } from '../core/repair-log';
import { readFenceClosing, readFenceOpening } from '../regions/fence';
import { startsLine } from '../regions/line-position';
import { findFailedCall, readBlockCalls, toRejection } from '../json-calls/read-calls';
import { toFailedEmission } from '../core/rescue-format';

const BARE = {
  openers: [],
  firstCharacters: '{[',
  startPattern: toBlockPattern,
  evidence: 'shape',
} as const satisfies Partial<RescueFormat>;

/** The list alone is left to the format for bare JSON. */
export const xlam: RescueFormat = {
  id: 'xlam',
  title: 'xLAM: a list of calls, with or without a thought',
  vllmParser: 'xlam',
  ...BARE,
  firstCharacters: '{',
  parse: (context, at) => readBareCalls(context, at, (values) => values.some(hasThought)),
  write: (calls) => writeCallList(calls),
};

const hasThought = (value: unknown): boolean =>
  isRecord(value) && typeof value['thought'] === 'string' && Array.isArray(value['tool_calls']);

/** Values of `type` that only servers write. */
const TYPES: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'tool_call',
  'tool-call',
  'function_call',
  'function_call_output',
  'server_tool_use',
]);

export const openaiEnvelope: RescueFormat = {
  id: 'openai-envelope',
  title: 'A server’s reply as text: tool_calls, function_call, tool_use',
  nativeHint:
    'The model writes a whole server message; a prompt without examples of the wire format avoids it.',
  ...BARE,
  parse(context, at) {
    const reading = readBareCalls(context, at, (values) => values.some(isEnvelope));
    return reading?.kind === 'calls' ? { ...reading, calls: reading.calls.map(decode) } : reading;
  },
  write: (calls) => writeJson({ tool_calls: calls.map(toEntry) }),
};

const KEYS = [...WRAPPER_KEYS, ...DECLARATION_LISTS, ...MESSAGE_KEYS];

function isEnvelope(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (Object.hasOwn(value, 'type') && TYPES.has(value['type'])) return true;
  if (Object.hasOwn(value, 'role') || Object.hasOwn(value, 'tool_call_id'))
    return !Object.hasOwn(value, 'tool_name');
  return KEYS.some(
    (key) => Object.hasOwn(value, key) && typeof value[key] === 'object' && value[key] !== null,
  );
}

/** Decodes arguments in JSON text, which is usual in this format. JSON text inside JSON text is damage. */
function decode(call: ReadCall): ReadCall {
  const value = typeof call.arguments === 'string' ? parseJson(call.arguments) : undefined;
  return isRecord(value) ? { ...call, arguments: value } : call;
}

const toEntry = ({ name, arguments: value, id }: WrittenCall): object => ({
  id,
  type: 'function',
  function: { name, arguments: writeJson(value) },
});

export const jsonBare: RescueFormat = {
  id: 'json-bare',
  title: 'Bare JSON',
  ...BARE,
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
    return first && calls.length === 1 ? writeCallJson(first) : writeCallList(calls);
  },
};

/** Skips damaged data. If its bracket closes in this paragraph, what looks like a call inside it is data too. */
function toBroken(context: RescueContext, { start, end, failure }: CallBlock): TextReading {
  const closer = findCloser(context, start);
  // So many open brackets are a loop of the model, which goes on to the end of the paragraph.
  const last = failure?.reason === 'too-deep' && closer === 0 ? context.lastBrackets?.to : closer;
  return { kind: 'text', end: Math.max(last ?? 0, end), isBroken: true };
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

/** Info strings that only calls have. */
const CALL_INFO_STRINGS: ReadonlySet<string> = new Set([
  'tool',
  'tool_call',
  'tool_calls',
  'tool-call',
  'toolcall',
]);

export const jsonFence: RescueFormat = {
  id: 'json-fence',
  title: 'JSON in a code fence',
  openers: ['```', '~~~'],
  infoStrings: ['json', 'tool', 'tool_call'],
  evidence: 'shape',
  parse(context, at) {
    const { text } = context;
    const opening = startsLine(context, at) ? readFenceOpening(text, at) : undefined;
    if (!opening) return null;
    const log = new RepairLog();
    const body = skipBlank(context, opening.bodyStart, log);
    const first = text.charAt(body);
    const block = first === '{' || first === '[' ? readBlocks(context, body) : null;
    if (!block) return null;
    const isCall = CALL_INFO_STRINGS.has(opening.infoString);
    const calls = readBlockCalls(context, block);
    const emission = { start: at, calls, evidence: isCall ? ('label' as const) : ('shape' as const) };
    if (block.failure) {
      // Without an info string for calls, a failed call is reported only if it names an offered tool.
      const isOurs = isCall || context.isTool(findFailedCall(block)?.name ?? '');
      const failure = isOurs ? toRejection(block, calls.at(-1)?.end ?? at, block.end) : undefined;
      return failure ? toFailedEmission({ ...emission, repairs: block.repairs }, failure) : null;
    }
    const bodyEnd = skipBlank(context, block.end, log);
    const end = readFenceClosing(text, bodyEnd, opening);
    const isClosed = end > bodyEnd;
    // With text next to the JSON, the fence shows something else.
    if (!isClosed && skipWhite(text, block.end) < text.length) return null;
    if (calls.length === 0) return null;
    const missing = isClosed ? [] : [{ kind: 'missing-close-tag', at: block.end }];
    const repairs = [...log.repairs, ...block.repairs, ...missing];
    return { ...emission, kind: 'calls', end: isClosed ? end : text.length, repairs, isOpen: !isClosed };
  },
  write: (calls) => calls.map((call) => `\`\`\`json\n${writeCallJson(call)}\n\`\`\``).join('\n'),
};
