// Formats with calls in JSON between or after tags: Jamba, Apriel, Hunyuan-A13B, MiniMax-M1, Nemotron Nano v2 and Granite.
// Each is declared as a dialect of one common reader.
import type { RescueContext } from '../core/rescue-context';
import { toEmptyEmission } from '../core/rescue-format';
import type { FormatReading, RescueFormat } from '../core/rescue-format';
import { createJsonFormat, readOpened } from '../json-calls/read-json-calls';
import { writeCallJson } from '../json/write-json';
import { readPythonicBlock } from '../pythonic/read-pythonic-block';
import { skipWhite } from '../text/white-space';

const INNER_TAG = '<tool_call>';
/** The tag together with a list, because most calls after that tag are no lists and need not be tried. */
const LIST_OPENERS = ['[', ' [', '\n['].map((list) => `${INNER_TAG}${list}`);

export const toolCallsTag: RescueFormat = createJsonFormat({
  id: 'tool-calls-tag',
  title: 'Jamba, Apriel, Hunyuan-A13B, MiniMax-M1: JSON in <tool_calls>',
  nativeHint:
    'vLLM: start it with the parser of the model: `--tool-call-parser jamba`, `--tool-call-parser hunyuan_a13b` or `--tool-call-parser minimax`.',
  openers: ['<tool_calls>'],
  closers: ['</tool_calls>'],
  endTokens: ['[END FINAL RESPONSE]'],
  // Apriel writes its reasoning without an opening tag.
  reasoningTags: [{ close: '[BEGIN FINAL RESPONSE]' }],
  read(context, at, opener) {
    const isAround =
      opener !== '' && context.text.startsWith(INNER_TAG, skipWhite(context.text, at + opener.length));
    return isAround ? toEmptyEmission(at, at + opener.length) : undefined;
  },
});

const TOOLCALL_CLOSE = '</TOOLCALL>';

export const nemotronToolcall: RescueFormat = createJsonFormat({
  id: 'nemotron-toolcall',
  title: 'Nemotron Nano v2: a list in <TOOLCALL>',
  vllmParser: 'nemotron_json',
  openers: ['<TOOLCALL>'],
  closers: [TOOLCALL_CLOSE],
  read(context, at, opener) {
    const first = skipWhite(context.text, at + opener.length);
    const next = context.text.charAt(skipWhite(context.text, first + 1));
    const isPythonic = opener !== '' && context.text.charAt(first) === '[' && !'{["\']'.includes(next);
    return isPythonic ? readPythonicBlock(context, at, opener, { close: TOOLCALL_CLOSE }) : undefined;
  },
});

export const graniteList: RescueFormat = createJsonFormat({
  id: 'granite-list',
  title: 'Granite 3.0 and 3.1: a list after <|tool_call|>',
  vllmParser: 'granite',
  openers: ['<|tool_call|>', ...LIST_OPENERS],
  read: (context, at, opener) => (LIST_OPENERS.includes(opener) ? readLoneList(context, at) : undefined),
});

/** Reads a reply of Granite 3.1, which begins with the tag and a list. It never closes the tag; other models do. */
function readLoneList(context: RescueContext, at: number): FormatReading | null {
  const { text } = context;
  const reading = skipWhite(text, 0) === at ? readOpened(context, at, INNER_TAG, { closers: [] }) : null;
  if (reading?.kind !== 'calls' || reading.failure) return null;
  const next = skipWhite(text, reading.end);
  return text.charAt(next) !== '<' || text.startsWith('<|', next) ? reading : null;
}

export const graniteFc: RescueFormat = createJsonFormat({
  id: 'granite-fc',
  title: 'Granite 20B: a call after each <function_call>',
  vllmParser: 'granite-20b-fc',
  openers: ['<function_call>'],
  noTools: ['no_function'],
  isOurs: (context, reading) =>
    reading.kind === 'calls'
      ? !isClosed(context, reading.end)
      : context.find('</function_call>', reading.end) === -1,
  write: (calls) => calls.map((call) => `<function_call> ${writeCallJson(call)}`).join('\n'),
});

/** Whether a closing tag follows, possibly cut off. This dialect does not write one. */
function isClosed(context: RescueContext, from: number): boolean {
  const { text } = context;
  const next = skipWhite(text, from);
  return (
    '</'.startsWith(text.slice(next, next + 2)) &&
    next < text.length &&
    context.dialects.trailing.find(text, next) === undefined
  );
}
