// What *Run* does in a lane, and from where on a conversation is asked again. Pure.
import type { DocumentMessage, NextRun, RunKind } from '../../protocol';
import { hasQuestion } from './pending-messages';
import type { Item, RunItem } from './transcript';
import { hasOpenCalls, isAnswered, isQuestion } from './transcript';

/** @param pending Messages of the document that were not yet sent, without the draft. */
export function toNextRun(
  items: readonly Item[],
  pending: readonly DocumentMessage[],
  isChanged: boolean,
): NextRun | undefined {
  if (pending.length > 0) return hasQuestion(pending) ? 'send' : undefined;
  if (isChanged) return 'again';
  const last = items.at(-1);
  if (last?.kind !== 'run') return last && isQuestion(last) ? 'reply' : undefined;
  if (last.isStored && !last.record) return undefined;
  if (!last.record?.turn || isAnswered(last)) return 'reply';
  return hasOpenCalls(items) ? 'results' : undefined;
}

export const goesOn = (next: NextRun | undefined, kind: RunKind): boolean =>
  next !== undefined && (next !== 'results' || kind === 'agent');

/** Whether the last reply is replaced when it is asked for again: one whose calls all have results is continued. */
export function endsWithReply(items: readonly Item[]): boolean {
  const last = items.at(-1);
  return last?.kind === 'run' && !isAnswered(last);
}

/** The first run after the last question; undefined before the first run. */
export function firstAnswer(items: readonly Item[]): RunItem | undefined {
  const last = items.findLast((item): item is RunItem => item.kind === 'run');
  const agentRunId = last?.step?.agentRunId;
  // A message between the steps of an agent run is no new question.
  const end = items.findIndex(
    (item) =>
      item === last ||
      (agentRunId !== undefined && item.kind === 'run' && item.step?.agentRunId === agentRunId),
  );
  const question = items.slice(0, Math.max(0, end)).findLastIndex(isQuestion);
  return items.slice(question + 1).find((item): item is RunItem => item.kind === 'run');
}
