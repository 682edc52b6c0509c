// What the readers of pairs hand to each other: the head of a call, and the emission with the traits by which dialects that
// share a spelling are distinguished.
import type { RescueRepair } from '../../../types';
import type { CallsReading, RejectionReading } from '../core/rescue-format';
import type { LabelStyle, Tag } from './tags/tag';

/** The opening of a call. */
export interface EmissionHead {
  start: number;
  end: number;
  /** '' when an element inside the call has the name. */
  name: string;
  tag?: Tag | undefined;
  isBroken?: boolean | undefined;
}

/** How an emission is written. */
export interface Traits {
  /** The outermost wrapper; undefined when there is none. */
  wrapper?: Tag | undefined;
  /** The closing tag of the last wrapper. */
  closer?: Tag | undefined;
  /** The tag of the first call. */
  call?: Tag | undefined;
  /** The tag of the first parameter. */
  parameter?: Tag | undefined;
  hasGroup?: boolean;
  hasSeparator?: boolean;
  hasJson?: boolean;
  /** How the tags write the names of the tools and of the keys. */
  styles: Set<LabelStyle>;
}

/** The name of what is around the calls; '' when nothing is. */
export const wrapperOf = ({ wrapper, closer }: Traits): string =>
  (wrapper ?? closer)?.name.toLowerCase() ?? '';

export interface Emission {
  reading: CallsReading | RejectionReading;
  traits: Traits;
}

/** The emission with one more repair, of what comes first in it. */
export const addRepair = ({ reading, traits }: Emission, repair: RescueRepair): Emission =>
  reading.kind === 'calls'
    ? { traits, reading: { ...reading, repairs: [repair, ...reading.repairs] } }
    : { reading, traits };
