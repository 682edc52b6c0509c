// Runs the whole rescue of one reply: walk, decisions, report. Also counts the work. Independent of single formats.
import type { RescueReport, ToolType } from '../../../types';
import { collectParts, hasEdge, toReport } from './build-report';
import { DIALECTS } from '../formats/dialects';
import { RESCUE_FORMATS } from '../formats/index';
import { OpenerIndex } from '../candidates/opener-index';
import { MOST_CALLS } from '../core/rescue-format';
import { ReplyWalk } from '../walk/reply-walk';
import { RescueContext } from '../core/rescue-context';
import { findStrippedReasoning } from '../regions/reasoning-tags';
import { Settler } from './settle-candidates';
import { ToolIndex } from '../core/tool-index';
import { shorten } from '../text/loops';
import type { PlaceSearch } from '../text/prefilter';
import { unfoldLoops } from './unfold-loops';
import type { ReportParts } from './unfold-loops';

/** What is known about a reply, and where to look in it. */
export interface RescueOptions {
  /**
   * Finish reason as the server sent it. After one that means the token limit, such as `length`, only complete calls
   * count.
   */
  finishReason?: string | undefined;
  /** Ids of the formats to look for. Unknown ids are ignored. @default all */
  formats?: readonly string[] | undefined;
  /** Whether calls with a marker count inside reasoning too. @default false */
  includeReasoning?: boolean | undefined;
}

/** Length of the largest reply that is searched, in UTF-16 code units. */
export const LARGEST_TEXT = 8 * 1024 * 1024;

/** In UTF-16 code units. A shorter text has no loop that takes longer to read than the search for loops. */
const SHORTEST_LONG = 32_768;

const END_REASONS: ReadonlySet<string> = new Set(['stop', 'STOP', 'end_turn', 'stop_sequence', 'tool_calls']);
const CUT_REASONS: ReadonlySet<string> = new Set(['length', 'max_tokens', 'MAX_TOKENS', 'max_output_tokens']);

let allOpeners: OpenerIndex | undefined;

export interface Scan {
  report: RescueReport;
  /** Number of characters that all parsers looked at; linear in the length of the text. */
  steps: number;
}

export function scanReply(text: string, offered: readonly ToolType[], options: RescueOptions): Scan {
  if (text.length > LARGEST_TEXT) return { report: refuse(text, TOO_LONG), steps: 0 };
  const tools = new ToolIndex(offered);
  const openers = findOpeners(toFormats(options.formats));
  const starts = openers.search(text, tools.names);
  if (starts.next(0) === text.length && isAllAnswer(text))
    return { report: { calls: [], content: text.trim(), rejected: [] }, steps: text.length };
  const read = (part: string, places: PlaceSearch): Parts => readParts(part, tools, openers, places, options);
  const short = text.length < SHORTEST_LONG ? undefined : shorten(text);
  if (!short || short.loops.length === 0) return toScan(text, read(text, starts));
  const { parts, steps } = read(short.text, openers.search(short.text, tools.names));
  const unfolded = parts && unfoldLoops(parts, short.loops);
  if (!parts || unfolded)
    return toScan(text, { parts: unfolded, steps: steps + text.length - short.text.length });
  return toScan(text, read(text, openers.search(text, tools.names)));
}

interface Parts {
  /** Undefined when the text has too many calls, readable or not. */
  parts: ReportParts | undefined;
  steps: number;
}

const toScan = (text: string, { parts, steps }: Parts): Scan => ({
  report:
    parts && parts.calls.length <= MOST_CALLS ? toReport(text, DIALECTS, parts) : refuse(text, TOO_MANY),
  steps,
});

function readParts(
  text: string,
  tools: ToolIndex,
  openers: OpenerIndex,
  starts: PlaceSearch,
  { finishReason = '', includeReasoning }: RescueOptions,
): Parts {
  const context = new RescueContext(text, {
    tools,
    dialects: DIALECTS,
    isCut: CUT_REASONS.has(finishReason),
    isEnded: END_REASONS.has(finishReason),
  });
  const walked = new ReplyWalk(context, openers, starts).run();
  if (walked.isOverfull) return { parts: undefined, steps: context.meter.steps };
  const settlement = new Settler(context, includeReasoning === true).settle(walked);
  return { parts: collectParts(context, settlement, walked), steps: context.meter.steps };
}

/**
 * Whether a text in which nothing begins is an answer from end to end, as most replies are. The walk is then left out,
 * whose code takes longer to compile than anything else in the first call of a process.
 */
const isAllAnswer = (text: string): boolean =>
  !hasEdge(text) &&
  !DIALECTS.leadLines.some(({ line }) => text.startsWith(line)) &&
  findStrippedReasoning(text, DIALECTS.regions.stripped) === undefined;

/** The ids; undefined, which means all formats, for what is no list: callers without type checks may pass anything. */
export const toFormats = (ids: unknown): readonly string[] | undefined =>
  Array.isArray(ids) ? (ids as readonly string[]) : undefined;

export function findOpeners(ids: readonly string[] | undefined): OpenerIndex {
  const { literals } = DIALECTS.regions.reasoning;
  if (ids)
    return new OpenerIndex(
      RESCUE_FORMATS.filter(({ id }) => ids.includes(id)),
      literals,
    );
  allOpeners ??= new OpenerIndex(RESCUE_FORMATS, literals);
  return allOpeners;
}

const TOO_LONG = 'The reply has more than 8,388,608 characters and was not searched for calls.';
const TOO_MANY = 'The reply has more than 5,000 tool calls, or what looks like them, so none was made.';

const refuse = (text: string, detail: string): RescueReport => ({
  calls: [],
  content: text.trim(),
  rejected: [{ format: 'none', start: 0, end: text.length, reason: 'too-large', detail }],
});
