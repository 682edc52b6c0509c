// Imports tools into a playground: asks for a source and how to handle name clashes, and reports the result.
import { t } from '@vscode/l10n';
import type { ToolLibraries } from '../../connections';
import type { Session } from '../../session';
import { showMessage } from '../dialogs';
import { loadEngine } from '../load-engine';
import { changeTools, readPresent } from './change-document';
import { listEditorTools } from './editor-tools';
import { chooseTools } from './import-sources';
import type { OnClash } from './plan-import';
import { describeImport, findClashes, addInvokeMocks, listNames, planImport } from './plan-import';

interface ImportServices {
  libraries: Pick<ToolLibraries<unknown>, 'list'>;
  /** Opens the tool at this index. */
  edit: (index: number) => Promise<void>;
}

/** A button of a notification. */
interface Offer {
  label: string;
  run: () => Promise<void>;
}

/** @throws RefusalError when the document does not accept the tools. */
export async function importTools(session: Session, { libraries, edit }: ImportServices): Promise<void> {
  const found = await chooseTools({ libraries, sessionId: session.id, title: t('Import Tools') });
  if (!found) return;
  // If the document cannot be read now, the import itself reports it.
  const present = await session.command(() => readPresent(session)).catch(() => []);
  const onClash = await askAboutClashes(findClashes(present, found.incoming));
  if (!onClash) return;
  const { DOCUMENT_LIMIT, toolNameProblem } = await loadEngine();
  // Planned again, because the document may have changed during the dialogs.
  const plan = await changeTools(session, (now) => planImport(now, found.incoming, onClash, DOCUMENT_LIMIT));
  const { imported } = plan;
  const refused = imported.find((name) => toolNameProblem(name) !== undefined);
  const problem = refused === undefined ? undefined : toolNameProblem(refused);
  const skipped = [...found.skipped, ...plan.skipped];
  const offers = [
    ...(refused === undefined ? [] : [offerEdit(session, refused, edit)]),
    ...(found.isOfEditor ? offerInvoke(session, imported) : []),
  ];
  const strict = found.incoming.some(({ tool }) => tool.strict !== undefined)
    ? t('`strict` is sent by the hosted protocol; the local protocol has no such field.')
    : '';
  const said = [describeImport({ imported, skipped }), strict, problem].filter(Boolean).join(' ');
  void showResult(said, offers, {
    isWarning: problem !== undefined || skipped.length > 0,
  });
}

/** @returns undefined when the user cancelled. */
async function askAboutClashes(names: readonly string[]): Promise<OnClash | undefined> {
  if (names.length === 0) return 'keep both';
  const replace = t('Replace');
  const keepBoth = t('Keep Both');
  const detail = t(
    'Replace: the new tool keeps the existing mocks unless it has its own. Keep Both: the new tools get a number.',
  );
  const answer = await showMessage(
    'warning',
    t('The playground already has tools with these names: {0}.', listNames(names)),
    { modal: true, detail },
    replace,
    keepBoth,
  );
  if (answer === replace) return 'replace';
  return answer === keepBoth ? 'keep both' : undefined;
}

function offerEdit(session: Session, name: string, edit: ImportServices['edit']): Offer {
  const run = async (): Promise<void> => {
    const present = await session.command(() => readPresent(session));
    const index = present.findLastIndex((tool) => tool.name === name);
    if (index !== -1) await edit(index);
  };
  return { label: t('Edit'), run };
}

/** Offers to run the imported tools in the editor; those that were renamed no longer match one of its tools. */
function offerInvoke(session: Session, imported: readonly string[]): Offer[] {
  const known = new Set(listEditorTools()?.map(({ name }) => name));
  const names = new Set(imported.filter((name) => known.has(name)));
  if (names.size === 0) return [];
  const run = async (): Promise<void> => {
    await changeTools(session, (present) => ({ edits: addInvokeMocks(present, names) }));
  };
  return [{ label: t('Really Invoke Them'), run }];
}

/** Errors are handled here, because no caller awaits the answer. */
async function showResult(
  text: string,
  offers: readonly Offer[],
  { isWarning }: { isWarning: boolean },
): Promise<void> {
  const labels = offers.map(({ label }) => label);
  const answer = await showMessage(isWarning ? 'warning' : 'information', text, {}, ...labels);
  try {
    await offers.find(({ label }) => label === answer)?.run();
  } catch (error) {
    await showMessage('error', error instanceof Error ? error.message : String(error));
  }
}
