// What the card of a tool call needs to know. Draws nothing.
import type { RunEntry } from '../../../src/protocol';
import type { ProviderToolCall } from '../../../src/types';
import type { Playground } from '../../playground';
import type { ResultDraft } from '../../state/view-state';

/** A call, and the state around it that its card needs. */
export interface CallPlace {
  playground: Playground;
  laneId: string;
  entry: RunEntry;
  index: number;
  call: ProviderToolCall;
  draft?: ResultDraft | undefined;
  /** Whether nothing follows the reply, so that its results were not sent yet. */
  isLast: boolean;
  isSelected?: boolean | undefined;
  /** Whether its agent run is paused between two steps. */
  isPaused?: boolean | undefined;
  /** Whether giving its result is the primary action of the panel. */
  isPrimary?: boolean | undefined;
  /** Whether the document has no tool of this name. */
  isUnknown?: boolean | undefined;
  /** If present, only the head is drawn until the card is opened. */
  fold?: { isOpen: boolean; toggle: () => void } | undefined;
}
