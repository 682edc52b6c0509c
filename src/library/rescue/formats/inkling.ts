// Calls of Inkling, each in a message of its own:
// `<|message_model|>NAME<|content_invoke_tool_json|>{"name": …, "args": {…}}<|end_message|>`.
// Reasoning and text are messages of the same form.
import { readEnvelope } from '../json-calls/envelope';
import type { EnvelopeCall } from '../json-calls/envelope';
import { readPlainName } from '../json-calls/read-named-calls';
import { readJsonCalls } from '../json-calls/read-json-calls';
import { skipWhite } from '../text/white-space';
import type { RescueContext } from '../core/rescue-context';
import { toEmptyEmission } from '../core/rescue-format';
import type { FormatReading, ReasoningReading, RescueFormat } from '../core/rescue-format';
import { writeCallJson } from '../json/write-json';

const MESSAGE = '<|message_model|>';
const INVOKE = '<|content_invoke_tool_json|>';
const TEXT = '<|content_text|>';
const REASONING = '<|content_thinking|>';
const END = '<|end_message|>';
const CLOSERS = [END, '<|content_model_end_sampling|>'];

export const inkling: RescueFormat = {
  id: 'inkling',
  title: 'Inkling: JSON in a message that calls a tool',
  nativeHint: 'If the server is SGLang, start it with `--tool-call-parser inkling` to get it natively.',
  openers: [MESSAGE, INVOKE, TEXT, REASONING],
  closers: CLOSERS,
  evidence: 'marker',
  parse(context, at, opener) {
    const head = opener === MESSAGE ? readHead(context, at) : { at, name: '' };
    const { text } = context;
    if (text.startsWith(INVOKE, head.at)) return readCall(context, at, head);
    if (text.startsWith(REASONING, head.at)) return readReasoning(context, at, head.at + REASONING.length);
    if (!text.startsWith(TEXT, head.at)) return null;
    return toEmptyEmission(at, head.at + TEXT.length);
  },
  write: (calls) =>
    calls
      .map((call) => `${MESSAGE}${call.name}${INVOKE}${writeCallJson(call, { arguments: 'args' })}${END}`)
      .join(''),
};

interface Head {
  /** The offset of the token with the kind of the message. */
  at: number;
  /** The tool's name; '' when the message has none. */
  name: string;
}

function readHead(context: RescueContext, at: number): Head {
  const { text } = context;
  const from = skipWhite(text, at + MESSAGE.length);
  const named = readPlainName(context, from);
  return { at: skipWhite(text, named?.end ?? from), name: named?.name ?? '' };
}

function readCall(context: RescueContext, start: number, { at, name }: Head): FormatReading | null {
  const repairs = at === start ? [{ kind: 'missing-open-tag', at: start }] : [];
  const emission = { start, opener: INVOKE, from: at + INVOKE.length, repairs };
  const read = (value: unknown): EnvelopeCall[] => readEnvelope(value).map((call) => checkName(call, name));
  return readJsonCalls(context, emission, { closers: CLOSERS, shape: { role: 'call', read } });
}

/** Refuses a call if the message and its JSON name different tools, because neither name can be trusted. */
function checkName(call: EnvelopeCall, name: string): EnvelopeCall {
  if (name === '' || call.name.trim() === name || call.refusal) return call;
  const detail = `The message is for \`${name}\` and its JSON calls \`${call.name.slice(0, 64)}\`.`;
  return { ...call, refusal: { reason: 'malformed', detail } };
}

function readReasoning(context: RescueContext, start: number, bodyStart: number): ReasoningReading {
  const found = context.find(END, bodyStart);
  const isOpen = found === -1;
  const bodyEnd = isOpen ? context.text.length : found;
  return { kind: 'reasoning', start, end: isOpen ? bodyEnd : found + END.length, bodyStart, bodyEnd, isOpen };
}
