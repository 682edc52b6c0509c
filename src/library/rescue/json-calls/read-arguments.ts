// Reads the arguments of one call in JSON where nothing else of the call is: an object, possibly in a string or a fence.
import type { RescueRepair } from '../../../types';
import type { ReadFailure } from '../core/json-reading';
import { describeFailure } from '../core/refusals';
import { RepairLog } from '../core/repair-log';
import type { RescueContext } from '../core/rescue-context';
import { toRejectionReading } from '../core/rescue-format';
import type { RejectionReading, SchemaIssue } from '../core/rescue-format';
import { skipExtraClosers } from '../json/call-block';
import { readArgumentsObject } from '../json/arguments-object';
import { isQuote } from '../json/quotes';
import { readFenceClosing, readFenceOpening } from '../regions/fence';
import { skipWhite } from '../text/white-space';
import { readEnvelope } from './envelope';
import { findRepeatedKeys } from './read-calls';

export interface ArgumentsReading {
  start: number;
  end: number;
  value: unknown;
  repairs: readonly RescueRepair[];
  /** Whether a fence was opened and not closed. */
  isFenceOpen: boolean;
  failure?: ReadFailure | undefined;
  /** Reports keys that were written twice. */
  issues?: readonly SchemaIssue[] | undefined;
}

/** Null when neither an object nor a string follows after white space. */
export function readArguments(
  context: RescueContext,
  from: number,
  isFenced = false,
): ArgumentsReading | null {
  const { text } = context;
  const at = skipWhite(text, from);
  const log = new RepairLog();
  const fence = readFenceOpening(text, at);
  const bodyAt = fence ? skipWhite(text, fence.bodyStart) : at;
  // An object alone in a list is meant.
  const isListed = text.charAt(bodyAt) === '[';
  const start = isListed ? skipWhite(text, bodyAt + 1) : bodyAt;
  if (isListed && text.charAt(start) !== '{') return null;
  if (text.charAt(start) !== '{' && !isQuote(text.charAt(start))) return null;
  if (fence && !isFenced) log.add('code-fence', at);
  if (isListed) log.add('broken-tag', bodyAt, 'the arguments are in a list');
  const reading = readArgumentsObject(context, start);
  const { value, repairs } = reading;
  // A list of whole calls belongs to another format.
  if (isListed && readEnvelope(value).length > 0) return null;
  const failure = reading.failure ?? (isListed ? findListDamage(text, reading.end) : undefined);
  const end = isListed && !failure ? skipWhite(text, reading.end) + 1 : reading.end;
  log.addAll(repairs);
  if (failure) return { start, end, value, repairs: log.repairs, isFenceOpen: false, failure };
  const bodyEnd = skipExtraClosers(text, end, log);
  const fenceEnd = fence ? readFenceClosing(text, bodyEnd, fence) : bodyEnd;
  const isFenceOpen = fence !== undefined && fenceEnd === bodyEnd;
  const issues = findRepeatedKeys(context, { start, reading, role: 'arguments' });
  return { start, end: fenceEnd, value, repairs: log.repairs, isFenceOpen, issues };
}

/**
 * The rejection of a call whose arguments cannot be read. Without an end of its own, the rest of the line after the damage
 * may be meant as an argument.
 * @param next Where the text goes on, if what closes the call was found.
 */
export function rejectArguments(
  context: RescueContext,
  { start, name }: { start: number; name: string },
  failure: ReadFailure,
  next: number | undefined,
): RejectionReading {
  const refusal = describeFailure(failure, name, { language: 'JSON', isCut: next === undefined });
  return toRejectionReading({ start, end: next ?? context.findLineEnd(failure.at) }, name, refusal);
}

/** The failure of a list that does not end behind its first object. */
function findListDamage(text: string, from: number): ReadFailure | undefined {
  const at = skipWhite(text, from);
  const reason = at < text.length ? 'malformed' : 'truncated';
  return text.charAt(at) === ']' ? undefined : { reason, at, inside: 'the list of arguments' };
}
