// Imports tools into a playground: asks where from, what to do with names that are there already, and says what came of it.
import * as vscode from 'vscode';
import type { Session } from '../../session';
import { loadEngine } from '../load-engine';
import { chooseTools } from './import-sources';
import type { OnClash, Present } from './plan-import';
import { describeImport, findClashes, invokeReally, listNames, planImport } from './plan-import';
import type { ToolLibraries } from './tool-libraries';

interface ImportServices {
  libraries: ToolLibraries;
  /** Opens the tool at this place. */
  edit: (index: number) => Promise<void>;
}

export async function importTools(session: Session, { libraries, edit }: ImportServices): Promise<void> {
  const found = await chooseTools({ libraries, sessionId: session.id });
  if (!found) return;
  const onClash = await askAboutClashes(findClashes(presentOf(session), found.incoming));
  if (!onClash) return;
  const { DOCUMENT_LIMIT, toolNameProblem } = await loadEngine();
  const limits = { tools: DOCUMENT_LIMIT.tools, name: DOCUMENT_LIMIT.name };
  // planned where it is done, since the document may have changed while the person chose
  const plan = await session.command(async () => {
    await session.keeper.flush();
    const made = planImport(presentOf(session), found.incoming, onClash, limits);
    if (made.edits.length > 0) await session.keeper.edit(made.edits);
    return made;
  });
  const problem = plan.imported.map(toolNameProblem).find((told) => told !== undefined);
  const skipped = [...found.skipped, ...plan.skipped];
  void tell(session, {
    text: [describeImport({ imported: plan.imported, skipped }), problem].filter(Boolean).join(' '),
    isWarning: problem !== undefined || skipped.length > 0,
    imported: plan.imported,
    canInvoke: found.isOfEditor === true && plan.imported.length > 0,
    edit,
  });
}

/** @returns undefined when it was called off */
async function askAboutClashes(names: readonly string[]): Promise<OnClash | undefined> {
  if (names.length === 0) return 'keep both';
  const replace = vscode.l10n.t('Replace');
  const keepBoth = vscode.l10n.t('Keep Both');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('The playground has tools of these names already: {0}.', listNames(names)),
    { modal: true, detail: vscode.l10n.t('Kept beside each other, the new ones get a number.') },
    replace,
    keepBoth,
  );
  if (answer === replace) return 'replace';
  return answer === keepBoth ? 'keep both' : undefined;
}

/** Nobody waits for the answer. */
async function tell(
  session: Session,
  told: {
    text: string;
    isWarning: boolean;
    imported: readonly string[];
    canInvoke: boolean;
    edit: (index: number) => Promise<void>;
  },
): Promise<void> {
  const editOne = vscode.l10n.t('Edit');
  const invoke = vscode.l10n.t('Invoke Them Really');
  const choices = [...(told.imported.length > 0 ? [editOne] : []), ...(told.canInvoke ? [invoke] : [])];
  const answer = told.isWarning
    ? await vscode.window.showWarningMessage(told.text, ...choices)
    : await vscode.window.showInformationMessage(told.text, ...choices);
  const names = new Set(told.imported);
  if (answer === editOne) {
    const index = presentOf(session).findIndex(({ name }) => names.has(name));
    if (index >= 0) await told.edit(index);
  } else if (answer === invoke) {
    await session.command(() => session.keeper.edit(invokeReally(presentOf(session), names)));
  }
}

function presentOf({ keeper }: Session): Present[] {
  const names = new Map(keeper.tools.map(({ index, tool }) => [index, tool.name]));
  return keeper.document.tools.map((entry, index) => ({
    name: names.get(index) ?? ('$ref' in entry ? entry.$ref : entry.name),
    entry,
  }));
}
