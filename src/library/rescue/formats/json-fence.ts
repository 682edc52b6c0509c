// A call object, or a list of them, as the whole content of a code fence. The fence ends where its JSON ends, not at the
// first three backticks, because values may contain fences.
import { skipBlank } from '../json/comments';
import { skipWhite } from '../text/white-space';
import { RepairLog } from '../core/repair-log';
import { readFenceClosing, readFenceOpening } from '../regions/fence';
import { startsLine } from '../regions/line-position';
import { readBlocks } from '../json/call-block';
import { findFailedCall, readBlockCalls, toRejection } from '../json-calls/read-calls';
import { writeCallJson } from '../json/write-json';
import { toFailedEmission } from '../core/rescue-format';
import type { RescueFormat } from '../core/rescue-format';

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
  nativeHint: 'A server with a parser for this model would return it natively; vLLM: `--tool-call-parser`.',
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
