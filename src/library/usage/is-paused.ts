// Detects a reply that its service has interrupted, and goes on with when it is sent back. Independent of protocols.
import type { ChatTurn } from '../../types';

/**
 * Whether the service paused in the middle of a reply without calls, as Anthropic does when a tool of its own takes long or the
 * conversation was compacted: sent back as it is, the reply goes on.
 * https://docs.claude.com/en/docs/build-with-claude/handling-stop-reasons
 */
export function isPaused({
  assistant,
  raw,
}: {
  assistant: ChatTurn['assistant'];
  raw: { finishReason?: string | undefined };
}): boolean {
  const { replay, toolCalls = [] } = assistant;
  const canGoOn = replay !== undefined && !replay.isWithheld && toolCalls.length === 0;
  return canGoOn && (raw.finishReason === 'pause_turn' || raw.finishReason === 'compaction');
}
