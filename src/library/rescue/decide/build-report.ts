// Builds the report from the decisions: the calls with their spans, the content without them, and the reasoning.
import type { RescuedCall, RescueReport, RescueRepair } from '../../../types';
import { createCallId } from '../../util/ids';
import { noteExtraClosers } from './extra-closers';
import { findFirstOpener, findStrayTokens } from './stray-tokens';
import { isSame } from '../../util/json';
import { cutText, skipWhiteBefore } from '../text/cut-text';
import { skipWhite } from '../text/white-space';
import type { Span } from '../text/cut-text';
import type { Dialects } from '../core/dialects';
import type { RescueContext } from '../core/rescue-context';
import type { RescueFormat } from '../core/rescue-format';
import { isApproved } from './judge-call';
import type { ApprovedCall } from './judge-call';
import type { WalkResult } from '../walk/findings';
import type { SettledCandidate, Settlement } from './settle-candidates';
import type { ReportParts } from './unfold-loops';

/** What the report of this text is made of. */
export function collectParts(
  context: RescueContext,
  { settled, rejected, trailing }: Settlement,
  { reasoning, markup }: Pick<WalkResult, 'reasoning' | 'markup'>,
): ReportParts {
  const { text, dialects } = context;
  const emissions: Span[] = [];
  const formats: RescueFormat[] = [];
  const refused: Span[] = [];
  const calls: RescuedCall[] = [];
  const thoughts = reasoning.map(({ bodyStart, bodyEnd }): Span => ({ start: bodyStart, end: bodyEnd }));
  const cuts: Span[] = [];
  const ids = new Set<string>();
  let cutTo = 0;
  for (const emission of settled) {
    const { candidate, reading, evidence } = emission;
    const { start, end } = reading;
    if (!isCut(emission)) {
      refused.push({ start, end });
      continue;
    }
    emissions.push({ start: findStart(emission), end });
    if (!formats.includes(candidate.format)) formats.push(candidate.format);
    if (reading.thought) thoughts.push(reading.thought);
    addCalls(emission, ids, calls, text);
    addCuts(emission, cuts, text);
    const first =
      evidence === 'marker' ? findFirstOpener(text, start, candidate.format.openers, cutTo) : start;
    if (first < start) addCut(text, cuts, first, start);
    // The text up to here is already cut, so the next emission looks for repeated openers only after it.
    cutTo = end;
  }
  const residue: Span[] = [...findTrailing(trailing, emissions)];
  for (const { line, before } of dialects.leadLines)
    if (text.startsWith(line) && text.charAt(line.length) === '\n' && text.includes(before))
      cuts.push({ start: 0, end: line.length });
  if (hasEdge(text) || ((emissions.length > 0 || reasoning.length > 0) && HAS_TOKEN.test(text))) {
    const kept = [...rejected, ...refused, ...markup, ...reasoning];
    // Not `push(...)`: the number of arguments is limited, and a reply may have more stray tokens.
    for (const stray of findStrayTokens(text, dialects, emissions, { kept, cut: reasoning }))
      residue.push(stray);
  }
  if (residue.length > 0) {
    const answers = dialects.answerTags.filter(({ open }) => text.includes(open));
    for (const span of residue)
      cuts.push(answers.length === 0 ? span : beforeAnswerCloser(text, span, answers));
    noteExtraClosers(context, residue, calls, formats);
  }
  return { calls, rejected, cuts: [...reasoning, ...markup, ...cuts], thoughts };
}

export function toReport(
  text: string,
  { answerTags }: Dialects,
  { calls, rejected, cuts, thoughts }: ReportParts,
): RescueReport {
  const thought = joinThoughts(text, thoughts);
  const content = cutText(text, cuts);
  return {
    calls,
    // Next to a call or reasoning, these tags are markup. Without either, the answer may be about such a tag.
    content:
      calls.length > 0 || thoughts.length > 0 ? unwrapAnswer(content, answerTags, calls.length > 0) : content,
    ...(thought !== '' && { reasoning: thought }),
    rejected,
  };
}

/** The span up to a closing tag of an answer in it, because the opener of the pair would be left behind. */
function beforeAnswerCloser(text: string, { start, end }: Span, tags: Dialects['answerTags']): Span {
  const written = text.slice(start, end);
  const close = tags.find((tag) => written.includes(tag.close))?.close;
  return { start, end: close === undefined ? end : start + written.lastIndexOf(close) };
}

/**
 * Matches if the text can have stray tokens at all. They are cut only next to calls and reasoning, or at the ends of the
 * reply.
 */
const HAS_TOKEN = /[|｜]>|<[|｜]|[<[\u0080-\uffff]\//;

/** Whether the text begins or ends like a token or a tag. */
export const hasEdge = (text: string): boolean =>
  text.charAt(skipWhite(text, 0)) === '<' || text.charAt(skipWhiteBefore(text, text.length) - 1) === '>';

function joinThoughts(text: string, bodies: readonly Span[]): string {
  if (bodies.length === 0) return '';
  return bodies
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((body) => body !== '')
    .join('\n\n');
}

/** Whether a call was taken from the emission, or the emission is an empty wrapper in the answer. */
const isCut = ({ candidate, judgements }: SettledCandidate): boolean =>
  judgements.some(isApproved) || (judgements.length === 0 && candidate.region === 'answer');

/** Trailing tokens directly after an emission that is cut. */
function findTrailing(trailing: readonly Span[], emissions: readonly Span[]): readonly Span[] {
  if (trailing.length === 0) return trailing;
  const ends = new Set(emissions.map(({ end }) => end));
  return trailing.filter(({ start }) => ends.has(start));
}

/** The calls that are made, before the text around them is looked at. */
export function toCalls({ settled }: Settlement, text: string): RescuedCall[] {
  const calls: RescuedCall[] = [];
  const ids = new Set<string>();
  for (const emission of settled) addCalls(emission, ids, calls, text);
  return calls;
}

/** The span of a call begins where the one before it ends. The span of the last call includes the wrapper's closer. */
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
  if (written !== undefined) ids.add(written);
  const rescued: RescuedCall = {
    id: written ?? createCallId(),
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
  if (schemaIssues) rescued.schemaIssues = schemaIssues;
  return rescued;
}

/** Notes a call that directly follows an identical one. Both are kept, because the model may have meant to call twice. */
function noteRepetition(before: RescuedCall | undefined, call: RescuedCall, text: string): void {
  if (before?.name !== call.name || skipWhite(text, before.end) < call.start) return;
  if (!isSame(before.arguments, call.arguments)) return;
  const note = 'the same call comes directly before it';
  // Neither `unshift` nor a spread, which reserve room for 16 more in each of 40,000 calls.
  call.repairs = call.repairs.toSpliced(0, 0, { kind: 'repeated-call', at: call.start, note });
}

/** Both lists, sorted by offset. Nearly always they are the second list as it is. */
function inOrder(one: readonly RescueRepair[], other: RescueRepair[]): RescueRepair[] {
  const all = one.length === 0 ? other : [...one, ...other];
  return all.every(isAfterLast) ? all : all.toSorted((left, right) => left.at - right.at);
}

const isAfterLast = ({ at }: RescueRepair, index: number, repairs: readonly RescueRepair[]): boolean =>
  at >= (repairs[index - 1]?.at ?? at);

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

/** The first call of a claimed fence begins with the fence's opening line. */
const findStart = ({ candidate, reading }: SettledCandidate): number =>
  candidate.fence && candidate.opensFence ? candidate.fence.start : reading.start;

/** Cuts the emission, but keeps the text of refused calls and the text after them that could not be parsed. */
function addCuts(settled: SettledCandidate, cuts: Span[], text: string): void {
  const { judgements, reading } = settled;
  let start = findStart(settled);
  for (const { kind, call } of judgements) {
    if (kind === 'approved') continue;
    if (call.start > start) addCut(text, cuts, start, call.start);
    start = Math.max(start, call.end);
  }
  const end = reading.failure ? (judgements.at(-1)?.call.end ?? reading.end) : reading.end;
  if (end > start) addCut(text, cuts, start, end);
}

/** Extends the last cut if only white space comes between: then all rounds of a loop are one. */
function addCut(text: string, cuts: Span[], start: number, end: number): void {
  const last = cuts.at(-1);
  if (last && last.start <= start && skipWhite(text, last.end) >= start) last.end = Math.max(last.end, end);
  else cuts.push({ start, end });
}

/**
 * The content without the answer tags around all of it. With `hasCall`, an opening tag that is never closed is removed
 * too.
 */
export function unwrapAnswer(
  content: string,
  tags: readonly { open: string; close: string }[],
  hasCall = false,
): string {
  const tag = tags.find(({ open }) => content.startsWith(open));
  const close = tag ? content.indexOf(tag.close) : -1;
  const isClosed = tag !== undefined && close === content.length - tag.close.length;
  if (!tag || !(isClosed || (close === -1 && hasCall))) return content;
  const answer = content.slice(tag.open.length, isClosed ? close : undefined).trim();
  // If the answer begins with a tag, the outer tags may be the root of a document that was asked for.
  return answer.startsWith('<') ? content : answer;
}
