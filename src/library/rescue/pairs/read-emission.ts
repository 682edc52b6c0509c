// The reading of calls written as pairs, made once for all formats that share a spelling.
import type { RescueContext } from '../rescue-context';
import type { CallsReading, FormatReading, RejectionReading } from '../rescue-format';
import { EmissionReader } from './emission-reader';
import { CallReader } from './read-call';
import type { CallHead } from './call-parts';
import type { PairSpelling } from './spelling';
import type { LabelStyle, Tag } from './tag';

/** How an emission is written: what tells dialects apart that share a spelling. */
export interface Traits {
  /** The outermost wrapper; undefined when none opened. */
  wrapper?: Tag | undefined;
  /** The last wrapper's closing tag. */
  closer?: Tag | undefined;
  /** The first call's tag. */
  call?: Tag | undefined;
  /** The first parameter's tag. */
  parameter?: Tag | undefined;
  hasGroup: boolean;
  hasSeparator: boolean;
  hasJson: boolean;
  styles: Set<LabelStyle>;
}

export interface Emission {
  reading: CallsReading | RejectionReading;
  traits: Traits;
}

interface Memo {
  at: number;
  spelling: PairSpelling;
  emission: Emission | null;
}

const LAST = new WeakMap<RescueContext, Memo>();

/** Null when nothing of this spelling begins at `at`. */
export function readEmission(context: RescueContext, at: number, spelling: PairSpelling): Emission | null {
  const last = LAST.get(context);
  if (last?.at === at && last.spelling === spelling) return last.emission;
  const emission = new EmissionReader(context, spelling, at).read();
  LAST.set(context, { at, spelling, emission });
  return emission;
}

/** The same for a call whose opening tag is not there: `head` says where its name stands. */
export function readHeadless(
  context: RescueContext,
  spelling: PairSpelling,
  head: CallHead,
): Emission | null {
  return new EmissionReader(context, spelling, head.start).read(head);
}

/**
 * Parameters whose call cannot be read: nothing in their values is a call. Null when they do not close, as where a text
 * speaks of the tag.
 */
export function readOrphan(context: RescueContext, at: number, spelling: PairSpelling): FormatReading | null {
  const { call, failure, end, parameter, isOpen } = new CallReader(context, spelling, {
    start: at,
    end: at,
    name: '',
  }).read();
  if (!call || failure || isOpen || !parameter) return null;
  return {
    kind: 'rejection',
    start: at,
    end,
    reason: 'malformed',
    detail: `Parameters stand at offset ${at} without a tag before them that names a tool.`,
  };
}
