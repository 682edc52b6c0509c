// `<tool_call>{"name": …, "arguments": {…}}</tool_call>` and its misspellings: the most common form of all.
// Bodies that are not JSON belong to other formats with the same tag.
import type { RescueRepair } from '../../../types';
import { readCallBlock } from '../call-block';
import type { CallBlock } from '../call-block';
import { skipWhite } from '../json/blank';
import { readFenceOpening, readFenceClosing } from '../fence';
import { findReasoningTag } from '../reasoning-tags';
import { readBlockCalls, toRejection } from '../read-calls';
import type { RescueContext } from '../rescue-context';
import type { CallsReading, FormatReading, RescueFormat } from '../rescue-format';
import { readBlocks } from '../read-blocks';
import { writeCallJson } from '../write-json';
import type { BlockRun } from '../read-blocks';

const TAG = '<tool_call>';
const RESULT_TAG = '<tool_response>';
const ALIASES = ['<function_call>', '<tool_use>', '<toolcall>', '<tool-call>', '<tools>', '<tool>', '<call>'];
const LONGEST_CLOSER = 40;
/** An object, a list, a string that holds one, a fence around one. */
const BODY_STARTS = '{["\'“`~';

export const hermesJson: RescueFormat = {
  id: 'hermes-json',
  title: 'Hermes and Qwen: JSON in <tool_call>',
  nativeHint: 'Start vLLM with `--tool-call-parser hermes` to get it natively.',
  openers: [TAG, RESULT_TAG, ...ALIASES],
  firstCharacters: '{[',
  evidence: 'marker',
  parse(context, at, opener) {
    if (opener === '') return parseWithoutOpener(context, at);
    return opener === RESULT_TAG ? parseResult(context, at) : parseTagged(context, at, opener);
  },
  write: (calls) => calls.map((call) => `${TAG}\n${writeCallJson(call)}\n</tool_call>`).join('\n'),
};

function parseTagged(context: RescueContext, at: number, opener: string): FormatReading | null {
  const { text } = context;
  let from = skipWhite(text, at + opener.length);
  if (!BODY_STARTS.includes(text.charAt(from))) return null;
  const repairs: RescueRepair[] = [];
  if (text.slice(at, at + opener.length) !== TAG) repairs.push({ kind: 'tag-alias', at });
  const fence = readFenceOpening(text, from);
  if (fence) {
    repairs.push({ kind: 'code-fence', at: from });
    from = skipWhite(text, fence.bodyStart);
  }
  const run = readBlocks(context, from);
  if (!run) return null;
  const { failure } = run;
  if (failure) return toFailedReading(context, at, run, failure, repairs);
  const afterFence = fence ? readFenceClosing(text, run.end, fence) : run.end;
  const closer = readCloser(text, afterFence, opener);
  return {
    kind: 'calls',
    start: at,
    end: closer.end,
    calls: run.blocks.flatMap((block) => readBlockCalls(context, block)),
    repairs: [...repairs, ...run.repairs, ...closer.repairs],
    isOpen: run.isOpen || closer.isOpen,
  };
}

/** What follows a call that cannot be read may be meant as its argument, so the walk goes on after its closer. */
function toFailedReading(
  context: RescueContext,
  at: number,
  run: BlockRun,
  failed: CallBlock,
  repairs: RescueRepair[],
): FormatReading | null {
  const calls = run.blocks.flatMap((block) => readBlockCalls(context, block));
  const isCut = failed.failure?.reason === 'truncated';
  const closer = isCut ? -1 : context.find('</tool_call>', at);
  const end = closer === -1 ? failed.end : closer + '</tool_call>'.length;
  const failure = toRejection(failed, calls.at(-1)?.end ?? at, Math.max(end, failed.end));
  if (!failure || calls.length === 0) return failure ?? null;
  return {
    kind: 'calls',
    start: at,
    end: failure.start,
    calls,
    repairs: [...repairs, ...run.repairs],
    isOpen: false,
    failure,
  };
}

interface Closer {
  end: number;
  repairs: RescueRepair[];
  isOpen: boolean;
}

/** The closing tag, another one in its place, or none. */
function readCloser(text: string, from: number, opener: string): Closer {
  const at = skipWhite(text, from);
  const expected = `</${opener.slice(1)}`;
  const written = text.slice(at, at + LONGEST_CLOSER).toLowerCase();
  if (written.startsWith(expected)) return { end: at + expected.length, repairs: [], isOpen: false };
  if (at >= text.length || (at + written.length === text.length && expected.startsWith(written))) {
    return { end: text.length, repairs: [{ kind: 'missing-close-tag', at }], isOpen: true };
  }
  const other = readOtherCloser(text, at, written);
  if (other !== -1) return { end: other, repairs: [{ kind: 'wrong-close-tag', at }], isOpen: false };
  return { end: from, repairs: [{ kind: 'missing-close-tag', at: from }], isOpen: false };
}

/** Any closing tag; or the opener once more, unless it opens the next call. */
function readOtherCloser(text: string, at: number, written: string): number {
  if (written.startsWith(TAG)) {
    const next = skipWhite(text, at + TAG.length);
    return next >= text.length || text.startsWith(TAG, next) ? at + TAG.length : -1;
  }
  const length = /^<\/[a-z0-9_:|-]{1,36}>/.exec(written)?.[0].length ?? 0;
  if (length === 0) return -1;
  const end = at + length;
  // with an answer after it, it ends thinking that began in the prompt, and this call was a rehearsal
  const endsThinking = findReasoningTag(text, at) !== undefined && skipWhite(text, end) < text.length;
  return endsThinking ? -1 : end;
}

/** The body and the closing tag are there, the opener is not: many servers swallow it as a special token. */
function parseWithoutOpener(context: RescueContext, at: number): CallsReading | null {
  const block = readCallBlock(context, at);
  if (!block || block.failure || block.isOpen) return null;
  const next = skipWhite(context.text, block.end);
  if (!context.text.startsWith('</tool_call>', next)) return null;
  return {
    kind: 'calls',
    start: at,
    end: next + '</tool_call>'.length,
    calls: readBlockCalls(context, block),
    repairs: [{ kind: 'missing-open-tag', at }, ...block.repairs],
    isOpen: false,
  };
}

/** The result of a call, invented or repeated. */
function parseResult(context: RescueContext, at: number): FormatReading {
  const closer = context.find('</tool_response>', at);
  const end = closer === -1 ? at + RESULT_TAG.length : closer + '</tool_response>'.length;
  const detail = 'This is the result of a call, which only the caller writes.';
  return { kind: 'rejection', start: at, end, reason: 'result-echo', detail };
}
