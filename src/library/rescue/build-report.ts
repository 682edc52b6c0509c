// From what was decided to what the caller gets: calls with their spans, the text without them, the reasoning.
import type { RescuedCall, RescueReport, RescueRepair } from '../../types';
import { createCallId } from '../util/ids';
import { unwrapAnswer } from './answer-tags';
import { cutText } from './cut-text';
import type { Span } from './cut-text';
import type { ApprovedCall } from './judge-call';
import type { WalkResult } from './reply-walk';
import type { SettledItem, Settlement } from './settle-items';

export function buildReport(
  text: string,
  settlement: Settlement,
  { reasoning, markup }: Pick<WalkResult, 'reasoning' | 'markup'>,
): RescueReport {
  const ids = new Set<string>();
  const emissions = settlement.settled.filter(isCut);
  const calls = emissions.flatMap((settled) => toCalls(settled, ids));
  const ends = new Set(emissions.map(({ reading }) => reading.end));
  const cuts = [
    ...emissions.flatMap(toCuts),
    ...settlement.noise.filter(({ start }) => ends.has(start)),
    ...reasoning,
    ...markup,
  ];
  const bodies = [
    ...reasoning.map(({ bodyStart, bodyEnd }) => ({ start: bodyStart, end: bodyEnd })),
    ...emissions.flatMap(({ reading }) => reading.thought ?? []),
  ].toSorted((one, other) => one.start - other.start);
  const thoughts = bodies.map(({ start, end }) => text.slice(start, end).trim());
  const thought = thoughts.filter((item) => item !== '').join('\n\n');
  const content = cutText(text, cuts);
  return {
    calls,
    // beside a call or thinking it is the markup of a turn; alone it may be an answer about such a tag
    content: calls.length > 0 || reasoning.length > 0 ? unwrapAnswer(content) : content,
    ...(thought !== '' && { reasoning: thought }),
    rejected: settlement.rejected,
  };
}

/** Something was taken from it, or there was nothing in it. */
const isCut = ({ item, judgements }: SettledItem): boolean =>
  judgements.some((judgement) => judgement.kind === 'approved') ||
  (judgements.length === 0 && item.place === 'answer');

/** Each call owns the text from the end of the one before; the last one the end of the wrapper too. */
function toCalls(settled: SettledItem, ids: Set<string>): RescuedCall[] {
  const { judgements, reading } = settled;
  const calls: RescuedCall[] = [];
  let start = findStart(settled);
  for (const [index, judgement] of judgements.entries()) {
    const isLast = index === judgements.length - 1 && !reading.failure;
    const end = isLast ? reading.end : judgement.call.end;
    const wrapper = calls.length === 0 ? wrapperRepairs(settled) : [];
    if (judgement.kind === 'approved') calls.push(toCall(settled, judgement, { start, end }, wrapper, ids));
    start = end;
  }
  return calls;
}

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
  return {
    id,
    name,
    arguments: value,
    source: 'rescued',
    format: item.format.id,
    evidence,
    rawName: call.name,
    ...span,
    repairs: [...wrapper, ...repairs].toSorted((one, other) => one.at - other.at),
    ...(schemaIssues && { schemaIssues }),
  };
}

function wrapperRepairs({ item, reading }: SettledItem): RescueRepair[] {
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
function toCuts(settled: SettledItem): Span[] {
  const { judgements, reading } = settled;
  const cuts: Span[] = [];
  let start = findStart(settled);
  for (const { kind, call } of judgements) {
    if (kind === 'approved') continue;
    cuts.push({ start, end: Math.max(start, call.start) });
    start = Math.max(start, call.end);
  }
  const lastEnd = judgements.at(-1)?.call.end ?? reading.end;
  cuts.push({ start, end: reading.failure ? Math.max(start, lastEnd) : reading.end });
  return cuts.filter((cut) => cut.end > cut.start);
}
