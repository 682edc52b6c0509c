// Finds what surrounds an action in the turn of an agent: the thought before it, and the observation after it, which only
// the caller can make. Independent of dialects.
import { readLabel } from './action-label';
import { skipWhite } from '../text/white-space';
import type { RescueContext } from '../core/rescue-context';
import type { CallsReading } from '../core/rescue-format';

const OBSERVATION = 'observation';

/** Where the emission begins: at the thought that leads up to the action, or else at `lineStart`, the action's own line. */
export function findThought(
  { text, consumedTo, meter }: RescueContext,
  lineStart: number,
): { start: number; thought?: { start: number; end: number } } {
  const before = text.slice(consumedTo, lineStart);
  meter.spend(consumedTo, lineStart);
  const found = before.toLowerCase().lastIndexOf('thought');
  const start = consumedTo + Math.max(0, before.lastIndexOf('\n', Math.max(0, found)) + 1);
  const label = found === -1 ? undefined : readLabel(text, start);
  // With markup between them, the thought belongs to something else.
  if (label?.kind !== 'thought' || /<\/|\|>|\[\/|```/.test(text.slice(start, lineStart)))
    return { start: lineStart };
  return { start, thought: { start: label.end, end: lineStart } };
}

/** Whether the label of an input ends before `at`, and the line before it ends with the name of a tool. */
export function isInputOfAction(context: RescueContext, at: number): boolean {
  const before = context.text.slice(Math.max(0, at - LONGEST_ACTION), at).trimEnd();
  if (!LABEL_ENDS.includes(before.at(-1) ?? ' ')) return false;
  const lines = before.split('\n');
  const label = readLabel(lines.at(-1) ?? '', 0);
  return label?.kind === 'input' && context.isTool((lines.at(-2) ?? '').replace(/^.*[\s:]/, ''));
}

const LONGEST_ACTION = 256;
const LABEL_ENDS = ':：*_';

/** Extends the reading to the label of an observation or answer that follows; the model invented what is after it. */
export function readObservation(context: RescueContext, reading: CallsReading): CallsReading {
  const { text } = context;
  const at = skipWhite(text, reading.end);
  const lineStart = context.findLineStart(at);
  const label = readLabel(text, Math.max(lineStart, reading.end));
  const isBare = text.slice(at, at + OBSERVATION.length).toLowerCase() === OBSERVATION;
  if (label?.kind !== 'answer' && label?.kind !== 'observation' && !isBare) return reading;
  const end = label?.end ?? at + OBSERVATION.length;
  if (!label && text.charAt(end) !== '' && text.charAt(end) !== '\n') return reading;
  const repairs = context.dialects.trailing.isAll(text, end, text.length)
    ? reading.repairs
    : [...reading.repairs, { kind: 'hallucinated-observation', at }];
  return { ...reading, end, repairs, inventedTo: text.length };
}
