// From what was decided to what the caller gets: calls with their spans, the text without them, the reasoning.
import type { RescuedCall, RescueReport, RescueRepair } from '../../types';
import { createCallId } from '../util/ids';
import { unwrapAnswer } from './answer-tags';
import { cutText } from './cut-text';
import type { Span } from './cut-text';
import type { ApprovedCall } from './judge-call';
import { findFirstOpener } from './repeated-opener';
import type { WalkResult } from './reply-walk';
import type { SettledItem, Settlement } from './settle-items';

export function buildReport(
  text: string,
  settlement: Settlement,
  { reasoning, markup }: Pick<WalkResult, 'reasoning' | 'markup'>,
): RescueReport {
  const emissions = settlement.settled.filter(isCut);
  const calls: RescuedCall[] = [];
  const cuts: Span[] = [...reasoning, ...markup, ...findNoise(settlement.noise, emissions)];
  const ids = new Set<string>();
  for (const emission of emissions) {
    addCalls(emission, ids, calls);
    addCuts(emission, cuts);
    const { start } = emission.reading;
    const first = emission.evidence === 'marker' ? findFirstOpener(text, start) : start;
    if (first < start) cuts.push({ start: first, end: start });
  }
  const thought = toThought(text, reasoning, emissions);
  const content = cutText(text, cuts);
  return {
    calls,
    // beside a call or thinking it is the markup of a turn; alone it may be an answer about such a tag
    content: calls.length > 0 || reasoning.length > 0 ? unwrapAnswer(content) : content,
    ...(thought !== '' && { reasoning: thought }),
    rejected: settlement.rejected,
  };
}

function toThought(
  text: string,
  reasoning: WalkResult['reasoning'],
  emissions: readonly SettledItem[],
): string {
  const bodies: Span[] = reasoning.map(({ bodyStart, bodyEnd }) => ({ start: bodyStart, end: bodyEnd }));
  for (const { reading } of emissions) if (reading.thought) bodies.push(reading.thought);
  if (bodies.length === 0) return '';
  return bodies
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((item) => item !== '')
    .join('\n\n');
}

/** Something was taken from it, or there was nothing in it. */
const isCut = ({ item, judgements }: SettledItem): boolean =>
  judgements.some((judgement) => judgement.kind === 'approved') ||
  (judgements.length === 0 && item.place === 'answer');

/** What says nothing after an emission. */
function findNoise(noise: readonly Span[], emissions: readonly SettledItem[]): readonly Span[] {
  if (noise.length === 0) return noise;
  const ends = new Set(emissions.map(({ reading }) => reading.end));
  return noise.filter(({ start }) => ends.has(start));
}

/** Each call owns the text from the end of the one before; the last one the end of the wrapper too. */
function addCalls(settled: SettledItem, ids: Set<string>, calls: RescuedCall[]): void {
  const { judgements, reading } = settled;
  const last = judgements.at(-1);
  let wrapper = wrapperRepairs(settled);
  let start = findStart(settled);
  for (const judgement of judgements) {
    const end = judgement === last && !reading.failure ? reading.end : judgement.call.end;
    if (judgement.kind === 'approved') {
      calls.push(toCall(settled, judgement, { start, end }, wrapper, ids));
      wrapper = NO_REPAIRS;
    }
    start = end;
  }
}

const NO_REPAIRS: readonly RescueRepair[] = [];

function toCall(
  { item, evidence }: SettledItem,
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
    format: item.format.id,
    evidence,
    rawName: call.name,
    start: span.start,
    end: span.end,
    repairs: inOrder(wrapper, repairs),
  };
  return schemaIssues ? { ...rescued, schemaIssues } : rescued;
}

/** As a rule there are none, or one. */
const inOrder = (one: readonly RescueRepair[], other: readonly RescueRepair[]): RescueRepair[] =>
  one.length + other.length > 1
    ? [...one, ...other].toSorted((left, right) => left.at - right.at)
    : [...one, ...other];

function wrapperRepairs({ item, reading }: SettledItem): readonly RescueRepair[] {
  if (!item.fence && item.place !== 'open-reasoning') return reading.repairs;
  const repairs = [...reading.repairs];
  if (item.fence && item.opensFence) repairs.push({ kind: 'code-fence', at: item.fence.start });
  if (item.place === 'open-reasoning') {
    repairs.push({
      kind: 'in-unclosed-reasoning',
      at: reading.start,
      note: 'the reasoning around it never closes',
    });
  }
  return repairs;
}

/** The first call of a claimed fence owns its opening line. */
const findStart = ({ item, reading }: SettledItem): number =>
  item.fence && item.opensFence ? item.fence.start : reading.start;

/** The emission without what was refused in it, and without what failed after it. */
function addCuts(settled: SettledItem, cuts: Span[]): void {
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
