// Compares two stored runs and exports any number of them. Nothing is sent.
import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ExportedRun } from '../../inspect';
import type { CompareForm, ComparePart } from '../../protocol';
import { pickOne, showMessage } from '../dialogs';
import { pickExportForm } from '../wire/pick-export-form';
import { loadEngine } from '../load-engine';
import { toLabel } from '../../inspect';
import type { ActionServices, RunNode } from './action-services';
import { describeRun } from './run-words';
import { readWhole } from './read-whole';

/** Maximum number of runs in an export: all of them and the document are in memory at once. */
const MAX_EXPORTED = 200;

export async function compareRuns({ pool, wire }: ActionServices, nodes: readonly RunNode[]): Promise<void> {
  const [one, other, ...more] = nodes.toSorted((a, b) => a.run.at - b.run.at);
  if (!one || !other || more.length > 0) {
    void showMessage('information', t('Select two runs to compare, with Ctrl or Cmd held.'));
    return;
  }
  const picked = await pickOne(comparisons(), { title: t('Compare Runs') });
  if (!picked) return;
  const { compareRuns: compare } = await loadEngine();
  const toSide = async (node: RunNode, name: string) => ({
    ...(await readWhole(pool, node)),
    lane: undefined,
    name,
    title: toLabel(node.run.name ?? describeRun(node.run), 60),
  });
  const sides = await Promise.all([toSide(one, 'earlier'), toSide(other, 'later')]);
  await (await wire.services()).compare(compare(sides, picked.part, picked.form));
}

type ComparisonItem = vscode.QuickPickItem & { part: ComparePart; form: CompareForm };

function comparisons(): ComparisonItem[] {
  const raw = t('as received');
  const sent = t('as sent');
  const same = t('without differences of spacing and of the order of keys');
  return [
    { label: t('Reply'), description: same, part: 'reply', form: 'normalised' },
    { label: t('Request'), description: same, part: 'request', form: 'normalised' },
    { label: t('Tool calls'), description: same, part: 'calls', form: 'normalised' },
    { label: t('Reply'), description: raw, part: 'reply', form: 'raw' },
    { label: t('Request'), description: sent, part: 'request', form: 'raw' },
    { label: t('Tool calls'), description: raw, part: 'calls', form: 'raw' },
  ];
}

export async function exportRuns({ pool, wire }: ActionServices, nodes: readonly RunNode[]): Promise<void> {
  if (nodes.length > MAX_EXPORTED) {
    void showMessage('information', t('At most {0} runs are exported at once. Select fewer.', MAX_EXPORTED));
    return;
  }
  const form = await pickExportForm(nodes.length);
  if (form === undefined) return;
  const { exportedRun } = await loadEngine();
  const ordered = nodes.toSorted((a, b) => a.run.at - b.run.at);
  const runs: ExportedRun[] = [];
  for (const [index, node] of ordered.entries()) {
    runs.push(exportedRun(node.run.name ?? t('Run {0}', index + 1), await readWhole(pool, node)));
  }
  await (await wire.services()).export(runs, form);
}
