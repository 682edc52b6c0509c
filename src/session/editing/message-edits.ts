// Makes the edits of a document's messages when one is written, sent again, cut off or cleared. Pure.
import type { DocumentEdit, DocumentMessage, PlaygroundDocument } from '../../protocol';
import { isAsked } from '../conversation/pending-messages';

/** Maximum number of single edits: more would take longer than writing all messages anew. */
const MAX_SINGLE_EDITS = 100;

/**
 * Writes the text of the message box as the last message of the document.
 * @param draft The message that is in the box already.
 * @param lanes Ids of the lanes that it is for; undefined: all lanes.
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
  // Keeps keys of the draft that only the file knows.
  const { lanes: _before, ...rest } = draft ?? { role: 'user' };
  const value = { ...rest, content: text, ...(lanes && { lanes }) };
  return [{ path: ['messages', place], value }];
}

/** Inserts a message at an index, for some lanes. */
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

/** Removes the lanes from all messages after an index; a message that is then for no lane is removed. */
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
  // From the end, so that the indices of the others stay valid.
  return edits.toReversed();
}

/** A message that was removed, and its index. */
export interface RemovedMessage {
  place: number;
  message: DocumentMessage;
}

/** Finds the messages to clear: all questions except the draft or, without one, the last one, which returns to the box. */
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
  // From the end, so that the indices of the others stay valid.
  return cleared.toReversed().map(({ place }) => ({ path: ['messages', place] }));
}

/** Inserts the removed messages at their former indices, or at the end where those no longer exist. */
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
