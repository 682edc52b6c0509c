// The reasoning of a scripted model, for the protocols in which a request can ask for it. Pure, independent of protocols.
import type { Message } from '../../types';
import { lastUserText, pendingResults } from './conversation';
import type { DemoTurn } from './scenario';

const MAX_QUOTED_CHARACTERS = 80;

/** The turn with a thought about it; a turn that has its own keeps it. */
export function withReasoning(turn: DemoTurn, messages: readonly Message[]): DemoTurn {
  return { ...turn, reasoning: turn.reasoning ?? thinkAbout(turn, messages) };
}

function thinkAbout(turn: DemoTurn, messages: readonly Message[]): string {
  if (pendingResults(messages).length > 0) return 'The result is here. I answer from it.';
  const asked = Array.from(lastUserText(messages)).slice(0, MAX_QUOTED_CHARACTERS).join('');
  const names = [...new Set(turn.toolCalls.map((call) => call.name))].join(' and ');
  return `The message says: \u201C${asked}\u201D. ${names === '' ? 'I answer it in words.' : `I call ${names} for it.`}`;
}
