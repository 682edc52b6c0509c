// Changes the tools of an open playground, serialized with all other changes to it and as a single undo step.
// Opens no dialogs.
import { t } from '@vscode/l10n';
import type { DocumentEdit } from '../../protocol';
import type { Session } from '../../session';
import { loadEngine } from '../load-engine';
import type { Present } from './plan-import';
import { nameOf } from './tool-text';

/** The tools after all pending changes. @throws EditRefusedError */
export async function readPresent({ editable }: Session): Promise<Present[]> {
  await editable.flush();
  // The name of a referenced tool is known only once the reference is resolved.
  await editable.resolved();
  const names = new Map(editable.tools.map(({ index, tool }) => [index, tool.name]));
  return editable.document.tools.map((entry, index) => ({ name: names.get(index) ?? nameOf(entry), entry }));
}

/**
 * @param plan Computes the edits from the current tools, along with a result for the caller.
 * @throws RefusalError with a message for the user.
 */
export async function changeTools<T extends { edits: readonly DocumentEdit[] }>(
  session: Session,
  plan: (present: readonly Present[]) => T,
): Promise<T> {
  const { EditRefusedError, RefusalError } = await loadEngine();
  try {
    return await session.command(async () => {
      const planned = plan(await readPresent(session));
      if (planned.edits.length > 0) await session.editable.edit(planned.edits);
      return planned;
    });
  } catch (error) {
    if (!(error instanceof EditRefusedError)) throw error;
    throw new RefusalError({
      title: t('This is not possible now'),
      what: t('The tools were not changed: {0}', error.message),
      why: '',
      next: t('Correct it, or open the playground as text.'),
    });
  }
}
