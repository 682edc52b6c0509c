// The words of a stream in neutral form: of one piece, which comes thousands of times a reply, and of all that came.
import type { ChatDelta, PartialReply } from '../../types';

/** Only the members that there are. */
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
