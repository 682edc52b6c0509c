// A call object, or a list of them, as the whole content of a code fence. The fence ends where its JSON ends, not at the
// first three backticks, because values may contain fences.
import { skipBlank } from '../json/comments';
import { skipWhite } from '../text/white-space';
import { RepairLog } from '../core/repair-log';
import { readFenceClosing, readFenceOpening } from '../regions/fence';
import { startsLine } from '../regions/line-position';
import { readBlocks } from '../json-calls/read-blocks';
import type { BlockRun } from '../json-calls/read-blocks';
import { findFailedCall, readBlockCalls, toRejection } from '../json-calls/read-calls';
import type { RescueContext } from '../core/rescue-context';
import { writeCallJson } from '../json/write-json';
import { toFailedEmission } from '../core/rescue-format';
import type { FormatReading, RejectionReading, RescueFormat } from '../core/rescue-format';

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
    const run = first === '{' || first === '[' ? readBlocks(context, body) : null;
    if (!run) return null;
    const isCall = CALL_INFO_STRINGS.has(opening.infoString);
    if (run.failure) return toFailedReading(context, at, run, isCall);
    const bodyEnd = skipBlank(context, run.end, log);
    const end = readFenceClosing(text, bodyEnd, opening);
    const isClosed = end > bodyEnd;
    // With text next to the JSON, the fence shows something else.
    if (!isClosed && skipWhite(text, run.end) < text.length) return null;
    const calls = run.blocks.flatMap((block) => readBlockCalls(context, block));
    if (calls.length === 0) return null;
    return {
      kind: 'calls',
      start: at,
      end: isClosed ? end : text.length,
      calls,
      repairs: [
        ...log.repairs,
        ...run.repairs,
        ...(isClosed ? [] : [{ kind: 'missing-close-tag', at: run.end }]),
      ],
      evidence: isCall ? 'label' : 'shape',
      isOpen: !isClosed,
    };
  },
  write: (calls) => calls.map((call) => `\`\`\`json\n${writeCallJson(call)}\n\`\`\``).join('\n'),
};

/** Reports a failed call. Without an info string for calls, this is done only if the call names an offered tool. */
function toFailedReading(
  context: RescueContext,
  at: number,
  run: BlockRun,
  isCall: boolean,
): FormatReading | null {
  const failed = run.failure;
  const name = failed && findFailedCall(failed)?.name;
  const isOurs = isCall || (name !== undefined && context.tools.resolve(name) !== undefined);
  const calls = run.blocks.flatMap((block) => readBlockCalls(context, block));
  const failure: RejectionReading | undefined =
    failed && isOurs ? toRejection(failed, calls.at(-1)?.end ?? at, failed.end) : undefined;
  const evidence = isCall ? 'label' : 'shape';
  return failure ? toFailedEmission({ start: at, calls, repairs: run.repairs, evidence }, failure) : null;
}
