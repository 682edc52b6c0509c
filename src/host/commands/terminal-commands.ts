// Evaluates a playground in a terminal, or copies the command for one. A playground without a file is saved first.
import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import { showMessage } from '../dialogs';
import type { TerminalTarget } from '../terminal/terminal-services';
import type { CommandServices } from './command-services';
import { readTarget } from './evaluate-playground';
import { reportNoActivePlayground } from './playground-files';

export const copyTerminalCommand = (services: CommandServices, target: unknown): Promise<void> =>
  withFile(services, target, (file) => services.terminal.copy(file));

export const evaluateInTerminal = (services: CommandServices, target: unknown): Promise<void> =>
  withFile(services, target, (file) => services.terminal.evaluate(file));

async function withFile(
  services: CommandServices,
  target: unknown,
  act: (file: TerminalTarget) => Promise<void>,
): Promise<void> {
  const file = await toFile(services, target);
  if (!file) return;
  try {
    await act(file);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void showMessage(
      'error',
      t('There is no command for {0}. {1}', file.uri.path.split('/').at(-1) ?? '', why),
    );
  }
}

/** @param target What a menu gives: a file, or an item of the Test Explorer; none: the active playground. */
async function toFile(
  { editor, panels, evaluations }: CommandServices,
  target: unknown,
): Promise<TerminalTarget | undefined> {
  const place = await evaluations.placeOf(target);
  if (place) return toTarget(place);
  const named = readTarget(target) ?? readTarget(editor.active?.uri);
  if (named) return named;
  const { active: scratch } = panels;
  if (!scratch) {
    reportNoActivePlayground();
    return undefined;
  }
  const save = t('Save As Playground File…');
  const answer = await showMessage(
    'information',
    t('The command line reads files, and this playground is none yet. Save it as one first.'),
    { modal: true },
    save,
  );
  const uri = answer === save ? await panels.saveAs(scratch) : undefined;
  return uri && { uri };
}

const toTarget = ({
  uri,
  laneId,
  rowId,
}: {
  uri: vscode.Uri;
  laneId?: string;
  rowId?: string;
}): TerminalTarget => ({
  uri,
  ...(laneId !== undefined && { lanes: [laneId] }),
  ...(rowId !== undefined && { rows: [rowId] }),
});
