// What a walk over a reply finds, before anything is decided.
import type { RescueRejection } from '../../../types';
import type { Span } from '../text/cut-text';
import type { CallsReading, RejectionReading, RescueFormat } from '../core/rescue-format';
import type { ReasoningSpan } from '../regions/reasoning-tags';
import type { Fence, RegionKind } from '../regions/region-tracker';

export interface Candidate {
  format: RescueFormat;
  reading: CallsReading | RejectionReading;
  region: RegionKind;
  /** The code fence around the candidate, if its info string allows a call in it. */
  fence?: Fence | undefined;
  /** Whether only white space and other calls come between the fence's opening line and the candidate. */
  isFirstInFence?: boolean | undefined;
  /** Whether it is the very first call in its fence. */
  opensFence?: boolean | undefined;
}

/** What a walk found. Each list is in the order of the text. */
export interface WalkResult {
  candidates: readonly Candidate[];
  reasoning: readonly ReasoningSpan[];
  /** Spans of markup in the answer, which are cut from the content. */
  markup: readonly Span[];
  /** Openers at which no format could parse anything. They are reported only when there is nothing else to report. */
  unread: readonly RescueRejection[];
  /** Whether there are more calls than are read; the walk then ended there. */
  isOverfull: boolean;
}
