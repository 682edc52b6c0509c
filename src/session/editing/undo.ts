// Undoes and redoes what a person has changed in a scratch. The editor does it for a file. Independent of views.
import { t } from '@vscode/l10n';
import type { UndoDirection } from './undo-steps';
import { refuse } from '../refusal';
import type { Session } from '../session';

/**
 * Replies that were replaced after the last change come back first. A clear counts as the step before all others, because it
 * ends those before it.
 * @returns false when the editor has to do it
 * @throws RefusalError when there is no such step
 */
export async function undoOrRedo(
  { editable, conversations }: Pick<Session, 'editable' | 'conversations'>,
  direction: UndoDirection,
): Promise<boolean> {
  // What was typed a moment ago is a change, too.
  await editable.flush().catch(() => undefined);
  const isReply = direction === 'undo' && conversations.restorable.isNewest;
  const outcome = isReply ? 'none' : await editable.undoOrRedo(direction);
  if (outcome !== 'none') return outcome === 'taken';
  if (direction === 'redo') throw refuse(t('There is nothing to redo.'), '');
  if (!conversations.restorable.kind) {
    throw refuse(t('There is nothing to undo.'), t('What is typed in a box is undone in this box.'));
  }
  await conversations.restore();
  return true;
}
