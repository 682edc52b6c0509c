// What becomes of the messages of a document when one is written, sent anew or cut off: edits at their places. Pure.
import type { DocumentEdit, DocumentMessage, PlaygroundDocument } from '../protocol';
import { isAsked } from './pending-messages';

/** More of them would take longer than writing the messages anew. */
const MAX_SINGLE_EDITS = 100;

/**
 * The text of the message box as the last message.
 * @param draft The message that was in the box before.
 * @param lanes Those that it is for; undefined: all.
 */
export function toDraftEdits(
  { messages }: PlaygroundDocument,
  draft: DocumentMessage | undefined,
  text: string,
  lanes?: readonly string[],
): DocumentEdit[] {
  const place = draft ? messages.length - 1 : messages.length;
  if (text === '') return draft ? [{ path: ['messages', place] }] : [];
  if (draft && !lanes && !draft.lanes) {
    return draft.content === text ? [] : [{ path: ['messages', place, 'content'], value: text }];
  }
  // with keys that only the file knows
  const { lanes: _before, ...rest } = draft ?? { role: 'user' };
  const value = { ...rest, content: text, ...(lanes && { lanes }) };
  return [{ path: ['messages', place], value }];
}

/** A message between others, for some lanes. */
export function toInsertEdits(
  { lanes }: PlaygroundDocument,
  place: number,
  text: string,
  laneIds: readonly string[],
): DocumentEdit[] {
  const isForAll = lanes.every(({ id }) => laneIds.includes(id));
  const value = { role: 'user', content: text, ...(!isForAll && { lanes: laneIds }) };
  return [{ path: ['messages', place], value, isInsertion: true }];
}

/** What follows a place is no longer for these lanes, and goes when it is for no other one. */
export function toCutEdits(
  { messages, lanes }: PlaygroundDocument,
  from: number,
  laneIds: readonly string[],
): DocumentEdit[] {
  const edits = messages.slice(from).map((message, index): DocumentEdit => {
    const others = (message.lanes ?? lanes.map(({ id }) => id)).filter((id) => !laneIds.includes(id));
    const path = ['messages', from + index];
    return others.length === 0 ? { path } : { path: [...path, 'lanes'], value: others };
  });
  // from the end, so that the places of the others hold
  return edits.toReversed();
}

/** A message that was taken out, and where it stood. */
export interface RemovedMessage {
  place: number;
  message: DocumentMessage;
}

/** What was asked; the question comes back into the box, so that it can be asked anew. */
export function findCleared(
  { messages }: PlaygroundDocument,
  draft: DocumentMessage | undefined,
): RemovedMessage[] {
  const asked = new Set(messages.filter((_message, index) => isAsked(messages, index)));
  const kept = draft ?? [...asked].at(-1);
  return messages.flatMap((message, place) =>
    asked.has(message) && message !== kept ? [{ place, message }] : [],
  );
}

export function toClearEdits(
  { messages }: PlaygroundDocument,
  cleared: readonly RemovedMessage[],
): DocumentEdit[] {
  if (cleared.length > MAX_SINGLE_EDITS) {
    const removed = new Set(cleared.map(({ message }) => message));
    return [{ path: ['messages'], value: messages.filter((message) => !removed.has(message)) }];
  }
  // from the end, so that the places of the others hold
  return cleared.toReversed().map(({ place }) => ({ path: ['messages', place] }));
}

/** Puts back what was taken out; where it stood, as far as there still is such a place. */
export function toRestoreEdits(
  { messages }: PlaygroundDocument,
  cleared: readonly RemovedMessage[],
): DocumentEdit[] {
  if (cleared.length <= MAX_SINGLE_EDITS) {
    return cleared.map(({ place, message }, index) => ({
      path: ['messages', Math.min(place, messages.length + index)],
      value: message,
      isInsertion: true,
    }));
  }
  const value = cleared.reduce(
    (list, { place, message }) => list.toSpliced(place, 0, message),
    [...messages],
  );
  return [{ path: ['messages'], value }];
}
