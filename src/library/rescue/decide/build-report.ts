// Turns the decisions into the report: calls with their spans, the content without them, the reasoning.
import type { RescuedCall, RescueReport, RescueRepair } from '../../../types';
import { createCallId } from '../../util/ids';
import { findDoubled, findStrayTokens } from './stray-tokens';
import { isSame } from '../schema/check-arguments';
import { cutText, skipWhiteBefore } from '../text/cut-text';
import { skipWhite } from '../text/white-space';
import type { Span } from '../text/cut-text';
import type { RescueContext } from '../core/rescue-context';
import type { ApprovedCall } from './judge-call';
import { findFirstOpener } from '../candidates/repeated-opener';
import type { WalkResult } from '../walk/reply-walk';
import type { SettledCandidate, Settlement } from './settle-candidates';

export function buildReport(
  { text, dialects }: RescueContext,
  settlement: Settlement,
  { reasoning, markup }: Pick<WalkResult, 'reasoning' | 'markup'>,
): RescueReport {
  const emissions = settlement.settled.filter(isCut);
  const calls: RescuedCall[] = [];
  const cuts: Span[] = [...reasoning, ...markup, ...findTrailing(settlement.trailing, emissions)];
  const ids = new Set<string>();
  let cutTo = 0;
  for (const emission of emissions) {
    addCalls(emission, ids, calls, text);
    addCuts(emission, cuts);
    const { start, end } = emission.reading;
    const first =
      emission.evidence === 'marker'
        ? findFirstOpener(text, start, emission.candidate.format.openers, cutTo)
        : start;
    if (first < start) cuts.push({ start: first, end: start });
    // what stands before it was cut with the one before
    cutTo = end;
  }
  for (const { line, before } of dialects.leadLines)
    if (text.startsWith(`${line}\n`) && text.includes(before)) cuts.push({ start: 0, end: line.length });
  if ((emissions.length > 0 || reasoning.length > 0 || hasEdge(text)) && HAS_TOKEN.test(text)) {
    const spans = emissions.map((settled) => ({ start: findStart(settled), end: settled.reading.end }));
    const kept = [...settlement.rejected, ...markup, ...reasoning];
    for (const { start } of reasoning) {
      const doubled = findDoubled(text, start);
      if (doubled < start) cuts.push({ start: doubled, end: start });
    }
    cuts.push(...findStrayTokens(text, dialects, spans, kept));
  }
  const thought = toThought(text, reasoning, emissions);
  const content = cutText(text, cuts);
  return {
    calls,
    // beside a call or reasoning these tags are markup; alone, the answer may be about such a tag
    content: calls.length > 0 || reasoning.length > 0 ? unwrapAnswer(content, dialects.answerTags) : content,
    ...(thought !== '' && { reasoning: thought }),
    rejected: settlement.rejected,
  };
}

/** Only then is there anything to look for, and only beside calls and reasoning or at the ends of the reply. */
const HAS_TOKEN = /[|｜]>|<[|｜]|<\//;

const hasEdge = (text: string): boolean =>
  text.charAt(skipWhite(text, 0)) === '<' || text.charAt(skipWhiteBefore(text, text.length) - 1) === '>';

function toThought(
  text: string,
  reasoning: WalkResult['reasoning'],
  emissions: readonly SettledCandidate[],
): string {
  const bodies: Span[] = reasoning.map(({ bodyStart, bodyEnd }) => ({ start: bodyStart, end: bodyEnd }));
  for (const { reading } of emissions) if (reading.thought) bodies.push(reading.thought);
  if (bodies.length === 0) return '';
  return bodies
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((body) => body !== '')
    .join('\n\n');
}

/** A call was taken from it, or it is an empty wrapper in the answer. */
const isCut = ({ candidate, judgements }: SettledCandidate): boolean =>
  judgements.some((judgement) => judgement.kind === 'approved') ||
  (judgements.length === 0 && candidate.region === 'answer');

/** Trailing tokens directly after a wrapper that is cut. */
function findTrailing(trailing: readonly Span[], emissions: readonly SettledCandidate[]): readonly Span[] {
  if (trailing.length === 0) return trailing;
  const ends = new Set(emissions.map(({ reading }) => reading.end));
  return trailing.filter(({ start }) => ends.has(start));
}

/** The span of a call begins at the end of the one before; the span of the last one includes the wrapper's closer. */
function addCalls(settled: SettledCandidate, ids: Set<string>, calls: RescuedCall[], text: string): void {
  const { judgements, reading } = settled;
  const last = judgements.at(-1);
  let wrapper = wrapperRepairs(settled);
  let start = findStart(settled);
  for (const judgement of judgements) {
    const end = judgement === last && !reading.failure ? reading.end : judgement.call.end;
    if (judgement.kind === 'approved') {
      const call = toCall(settled, judgement, { start, end }, wrapper, ids);
      noteRepetition(calls.at(-1), call, text);
      calls.push(call);
      wrapper = NO_REPAIRS;
    }
    start = end;
  }
}

const NO_REPAIRS: readonly RescueRepair[] = [];

function toCall(
  { candidate, evidence }: SettledCandidate,
  { call, name, arguments: value, repairs, schemaIssues }: ApprovedCall,
  span: Span,
  wrapper: readonly RescueRepair[],
  ids: Set<string>,
): RescuedCall {
  const written = call.id !== undefined && !ids.has(call.id) ? call.id : undefined;
  const id = written ?? createCallId();
  ids.add(id);
  const rescued: RescuedCall = {
    id,
    name,
    arguments: value,
    source: 'rescued',
    format: candidate.format.id,
    evidence,
    rawName: call.name,
    start: span.start,
    end: span.end,
    repairs: inOrder(wrapper, repairs),
  };
  return schemaIssues ? { ...rescued, schemaIssues } : rescued;
}

/** The same call right behind itself is kept: nobody knows whether it was meant twice. */
function noteRepetition(before: RescuedCall | undefined, call: RescuedCall, text: string): void {
  if (before?.name !== call.name || skipWhite(text, before.end) < call.start) return;
  if (!isSame(before.arguments, call.arguments)) return;
  call.repairs.unshift({
    kind: 'repeated-call',
    at: call.start,
    note: 'the same call stands right before it',
  });
}

/** Sorted by offset; skipped in the usual case of at most one. */
const inOrder = (one: readonly RescueRepair[], other: readonly RescueRepair[]): RescueRepair[] =>
  one.length + other.length > 1
    ? [...one, ...other].toSorted((left, right) => left.at - right.at)
    : [...one, ...other];

function wrapperRepairs({ candidate, reading }: SettledCandidate): readonly RescueRepair[] {
  if (!candidate.fence && candidate.region !== 'open-reasoning') return reading.repairs;
  const repairs = [...reading.repairs];
  if (candidate.fence && candidate.opensFence)
    repairs.push({ kind: 'code-fence', at: candidate.fence.start });
  if (candidate.region === 'open-reasoning') {
    repairs.push({
      kind: 'in-unclosed-reasoning',
      at: reading.start,
      note: 'the reasoning around it never closes',
    });
  }
  return repairs;
}

/** The first call of a claimed fence owns its opening line. */
const findStart = ({ candidate, reading }: SettledCandidate): number =>
  candidate.fence && candidate.opensFence ? candidate.fence.start : reading.start;

/** Cuts the wrapper, but keeps the text of refused calls and of what could not be parsed after them. */
function addCuts(settled: SettledCandidate, cuts: Span[]): void {
  const { judgements, reading } = settled;
  let start = findStart(settled);
  const cutTo = (end: number): void => {
    if (end > start) cuts.push({ start, end });
  };
  for (const { kind, call } of judgements) {
    if (kind === 'approved') continue;
    cutTo(call.start);
    start = Math.max(start, call.end);
  }
  cutTo(reading.failure ? (judgements.at(-1)?.call.end ?? reading.end) : reading.end);
}

/** The content without the pair of tags around all of it; unchanged unless both are there. */
export function unwrapAnswer(content: string, tags: readonly { open: string; close: string }[]): string {
  const tag = tags.find(({ open, close }) => content.startsWith(open) && content.endsWith(close));
  const isOne = tag !== undefined && content.indexOf(tag.close) === content.length - tag.close.length;
  const answer = isOne ? content.slice(tag.open.length, -tag.close.length).trim() : content;
  // a document has a root, and may have been asked for
  return answer.startsWith('<') ? content : answer;
}
