// Reads `Action:` followed by the whole call in JSON, in a fence or not. Independent of dialects.
import { readLabelAt } from './action-label';
import { findThought, readObservation } from './action-turn';
import { readFenceOpening } from '../regions/fence';
import { skipWhite } from '../text/white-space';
import { readJsonCalls } from '../json-calls/read-json-calls';
import type { RescueContext } from '../core/rescue-context';
import type { FormatReading } from '../core/rescue-format';

const LONGEST_HEAD = 96;

/** Null when something else follows, or when `isOurs` rejects the beginning of the JSON. */
export function readActionJson(
  context: RescueContext,
  colon: number,
  isOurs: (head: string) => boolean,
): FormatReading | null {
  const { text, consumedTo } = context;
  const label = readLabelAt(text, colon, consumedTo);
  if (label?.kind !== 'action') return null;
  const at = skipWhite(text, label.end);
  const fence = readFenceOpening(text, at);
  const bodyAt = fence ? skipWhite(text, fence.bodyStart) : at;
  if (!isOurs(text.slice(bodyAt, bodyAt + LONGEST_HEAD))) return null;
  const repairs = label.isDecorated ? [{ kind: 'markdown-labels', at: label.start }] : [];
  const emission = { start: label.start, opener: '', from: label.end, repairs };
  const reading = readJsonCalls(context, emission, { closers: [], isFenced: true });
  if (reading?.kind !== 'calls' || reading.failure) return reading;
  return readObservation(context, { ...reading, ...findThought(context, label.start) });
}
