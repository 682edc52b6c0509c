// Calls of RWKV: a bold label and a JSON fence after it. Only the label distinguishes them from an example.
import { readFenceOpening } from '../regions/fence';
import { skipWhite } from '../text/white-space';
import { createJsonFormat, readOpened } from '../json-calls/create-json-format';
import type { JsonSpelling } from '../json-calls/read-json-calls';
import type { RescueFormat } from '../core/rescue-format';
import { writeCallJson } from '../json/write-json';

const LABEL = '**Tool Call:**';
const SPELLING: JsonSpelling = { closers: [], isFenced: true };
/** Info strings of a fence that may hold a call; a fence with any other is a program for the user. */
const FENCE_INFO_STRINGS: ReadonlySet<string> = new Set(['', 'json', 'tool', 'tool_call', 'python']);

export const rwkv: RescueFormat = createJsonFormat({
  ...SPELLING,
  id: 'rwkv',
  title: 'RWKV: a JSON fence after **Tool Call:**',
  nativeHint: 'If the server is vLLM, start it with `--tool-call-parser rwkv` to get it natively.',
  openers: [LABEL, '**Tool Call**:', '**Tool Calls:**'],
  evidence: 'label',
  read(context, at, opener) {
    const fence = readFenceOpening(context.text, skipWhite(context.text, at + opener.length));
    if (fence && !FENCE_INFO_STRINGS.has(fence.infoString)) return null;
    const reading = readOpened(context, at, opener, SPELLING);
    return reading?.kind === 'calls' ? { ...reading, needsEnd: true } : reading;
  },
  write: (calls) => calls.map((call) => `${LABEL}\n\`\`\`json\n${writeCallJson(call)}\n\`\`\``).join('\n'),
});
