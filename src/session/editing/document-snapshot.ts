// Builds the snapshot of a session's document for a front end. Pure.
import type { DocumentSnapshot } from '../../protocol';
import { findRefusal } from '../check-sendable';
import type { Conversations } from '../conversation/conversation';
import type { EditableDocument } from './editable-document';
import type { DocumentBacking } from '../ports';

export function toDocumentSnapshot(
  backing: Pick<DocumentBacking, 'kind' | 'title'>,
  editable: EditableDocument,
  conversations: Pick<Conversations, 'draft' | 'restorable'>,
): DocumentSnapshot {
  const { document, error, warnings, secrets, readOnly, notWritten, canUnlock, version } = editable;
  const refusal = findRefusal(editable)?.info;
  return {
    version,
    kind: backing.kind,
    title: backing.title,
    document,
    draft: conversations.draft?.content ?? '',
    tools: editable.toolViews(),
    ...(error && { error: { line: error.line, message: error.message } }),
    warnings: warnings.map(({ line, message, isAboutTools }) => ({
      line,
      message,
      ...(isAboutTools && { isAboutTools }),
    })),
    ...(readOnly !== undefined && { readOnly }),
    ...(notWritten !== undefined && { notWritten }),
    ...(canUnlock && { canUnlock }),
    secrets: [...secrets],
    ...(refusal && { blocker: `${refusal.what} ${refusal.next}` }),
    restorable: conversations.restorable.kind,
  };
}
