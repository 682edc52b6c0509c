// Changes the tools of an open playground: one after the other with whatever else is done to it, and in one undo step. Asks
// nobody.
import { t } from '@vscode/l10n';
import type { DocumentEdit } from '../../protocol';
import type { Session } from '../../session';
import { loadEngine } from '../load-engine';
import type { Present } from './plan-import';
import { nameOf } from './tool-text';

/** The tools as they are once everything under way is done. @throws EditRefusedError */
export async function readPresent({ editable }: Session): Promise<Present[]> {
  await editable.flush();
  // a reference has the name of its tool once that is looked up
  await editable.resolved();
  const names = new Map(editable.tools.map(({ index, tool }) => [index, tool.name]));
  return editable.document.tools.map((entry, index) => ({ name: names.get(index) ?? nameOf(entry), entry }));
}

/**
 * @param plan From the tools that are there to the edits, and what is to be known of them.
 * @throws RefusalError in words for a person
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
      title: t('This cannot be done now'),
      what: t('The tools were not changed: {0}', error.message),
      why: '',
      next: t('Correct it, or open the playground as text.'),
    });
  }
}
