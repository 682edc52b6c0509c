// What becomes of the messages of a document when one is written, sent anew or cut off: edits at their places. Pure.
import type { DocumentEdit, DocumentMessage, PlaygroundDocument } from '../protocol';
import { isAsked } from './pending-messages';

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
  const value = { role: 'user', content: text, ...(lanes && { lanes }) };
  return [{ path: ['messages', place], value }];
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

/** Without what was asked; the question comes back into the box, so that it can be asked anew. */
export function toClearEdits(
  { messages }: PlaygroundDocument,
  draft: DocumentMessage | undefined,
): DocumentEdit[] {
  const asked = messages.filter((_message, index) => isAsked(messages, index));
  const kept = draft ?? asked.at(-1);
  const left = messages.filter((message) => message === kept || !asked.includes(message));
  return left.length < messages.length ? [{ path: ['messages'], value: left }] : [];
}
