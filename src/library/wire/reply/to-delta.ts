// Builds the deltas and the partial reply of a stream. A reply may have thousands of deltas, so these have to be cheap.
import type { ChatDelta, PartialReply } from '../../../types';

/** Contains only members that are given. */
export function toDelta(content: string | undefined, reasoning: string | undefined): ChatDelta {
  if (reasoning === undefined) return { content };
  return content === undefined ? { reasoning } : { content, reasoning };
}

export function toPartial(
  content: string,
  reasoning: string,
  toolCalls: NonNullable<PartialReply['toolCalls']>,
): PartialReply {
  return {
    content,
    ...(reasoning !== '' && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
}
