// Calls of Cohere Command R7B and A: a list of calls, each with a `tool_name`, between two tokens.
import { createJsonFormat } from '../json-calls/create-json-format';
import type { RescueFormat, WrittenCall } from '../core/rescue-format';
import { writeJson } from '../json/write-json';

const OPEN = '<|START_ACTION|>';
const CLOSE = '<|END_ACTION|>';

/** Tokens around an answer; they are not part of its text. */
const ANSWER_TOKENS = ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>'];

export const commandR7b: RescueFormat = createJsonFormat({
  id: 'command-r7b',
  title: 'Command R7B and A: a list after <|START_ACTION|>',
  nativeHint: 'If the server is vLLM, start it with `--tool-call-parser cohere_command3` to get it natively.',
  openers: [OPEN, ...ANSWER_TOKENS],
  closers: [CLOSE],
  endTokens: ['<|END_OF_TURN_TOKEN|>'],
  reasoningTags: [{ open: '<|START_THINKING|>', close: '<|END_THINKING|>' }],
  mayLoseOpener: true,
  read(_context, at, opener) {
    if (!ANSWER_TOKENS.includes(opener)) return undefined;
    const end = at + opener.length;
    return { kind: 'text', end, markup: [{ start: at, end }] };
  },
  write: (calls) => `${OPEN}${writeJson(calls.map(toEntry))}${CLOSE}`,
});

const toEntry = ({ name, arguments: value, id }: WrittenCall, index: number): object => ({
  tool_call_id: id ?? String(index),
  tool_name: name,
  parameters: value,
});
