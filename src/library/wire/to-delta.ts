// The words of one piece of a stream, in neutral form: what comes thousands of times a reply.
import type { ChatDelta } from '../../types';

/** Only the members that there are. */
export function toDelta(content: string | undefined, reasoning: string | undefined): ChatDelta {
  if (reasoning === undefined) return { content };
  return content === undefined ? { reasoning } : { content, reasoning };
}
