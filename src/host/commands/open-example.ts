// Opens one of the bundled examples as a scratch, which can be edited.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { pickOne } from '../dialogs';
import type { CommandServices } from './command-services';

interface Example {
  file: string;
  label: string;
  detail: string;
  /** Whether its view *Evaluate* is shown first. */
  isEvaluation?: boolean;
}

/** Translated on demand, so that loading this module does no work. */
const toExamples = (): Example[] => [
  {
    file: 'compare-models.playground.json',
    label: t('Compare two models'),
    detail: t('Sends one message to two demo models: one calls a tool as text, one natively.'),
  },
  {
    file: 'reliability.playground.json',
    label: t('Which model is more reliable?'),
    detail: t('Evaluates three demo models on twelve rows, ten times each, and says which is better.'),
    isEvaluation: true,
  },
  {
    file: 'flaky-tool.playground.json',
    label: t('A tool that often fails'),
    detail: t('Mocks that answer by arguments, fail at the second call, or ask you: choose Run agent.'),
  },
  {
    file: 'embedding.playground.json',
    label: t('How similar are these texts?'),
    detail: t('Embeds a few texts and compares their vectors.'),
  },
];

/** @param id Name of the file without its end; without one, or with an unknown one, the person chooses. */
export async function openExample(
  { panels, scratches, pool, extensionUri }: CommandServices,
  id?: unknown,
): Promise<void> {
  const examples = toExamples();
  const known = examples.find(({ file }) => file === `${String(id)}.playground.json`);
  const picked = known ?? (await pickOne(examples, { title: t('Choose Example') }));
  if (!picked) return;
  const uri = vscode.Uri.joinPath(extensionUri, 'media', 'examples', picked.file);
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const backing = scratches.create(text);
  if (picked.isEvaluation === true) pool.wanted.ask(backing.id, { kind: 'evaluation' });
  panels.openScratch(backing);
}
