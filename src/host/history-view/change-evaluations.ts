// Opens, compares, pins and names stored evaluations. Nothing is sent.
import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { EvaluationStore } from '../../session';
import { MAX_RUN_NAME } from '../../session';
import { askForText, pickOne, showMessage } from '../dialogs';
import { loadEngine } from '../load-engine';
import { withJournal } from '../with-journal';
import type { ActionServices, EvaluationNode } from './action-services';
import { outcomeOfEvaluation, restOfEvaluation, titleOfEvaluation } from './evaluation-words';
import { openPlayground } from './open-runs';

export const openEvaluation = (services: ActionServices, node: EvaluationNode): Promise<void> =>
  openPlayground(services, node);

/** Judges the later of two against the earlier, or one against another one that is chosen. */
export async function compareEvaluations(
  services: ActionServices,
  nodes: readonly EvaluationNode[],
): Promise<void> {
  const [shown, baseline, ...more] = nodes.toSorted(
    (a, b) => b.evaluation.startedAt - a.evaluation.startedAt,
  );
  if (!shown || more.length > 0) {
    void showMessage('information', t('Select two evaluations to compare, with Ctrl or Cmd held.'));
    return;
  }
  if (baseline && baseline.sessionId !== shown.sessionId) {
    void showMessage('information', t('Only evaluations of the same playground have rows to compare.'));
    return;
  }
  const baselineId = baseline?.evaluation.id ?? (await pickBaseline(services, shown));
  if (baselineId !== undefined) await openPlayground(services, shown, baselineId);
}

async function pickBaseline(
  { history }: ActionServices,
  { sessionId, evaluation }: EvaluationNode,
): Promise<string | undefined> {
  const others = (await history.evaluations(sessionId)).filter(({ id }) => id !== evaluation.id);
  if (others.length === 0) {
    void showMessage(
      'information',
      t('No other evaluation of this playground is stored. Evaluate again, then compare the two.'),
    );
    return undefined;
  }
  const items = others.map((each): vscode.QuickPickItem & { id: string } => ({
    id: each.id,
    label: outcomeOfEvaluation(each),
    description: restOfEvaluation(each),
  }));
  const picked = await pickOne(items, {
    title: t('Compare with: the Baseline'),
    placeHolder: t('What has {0} fixed or broken since?', titleOfEvaluation(evaluation)),
  });
  return picked?.id;
}

export async function pinEvaluations(
  services: ActionServices,
  nodes: readonly EvaluationNode[],
  isPinned: boolean,
): Promise<void> {
  const { MAX_PINNED_EVALUATIONS: most } = await loadEngine();
  for (const [sessionId, ids] of bySession(nodes)) {
    const pinned = (await services.history.evaluations(sessionId)).filter((each) => each.isPinned);
    const all = new Set([...pinned.map(({ id }) => id), ...ids]);
    if (isPinned && all.size > most) {
      void showMessage(
        'warning',
        t('At most {0} evaluations can be pinned in one playground. Unpin others first.', most),
      );
      break;
    }
    await withEvaluations(services, sessionId, async (stored) => {
      for (const id of ids) await stored.mark(id, { isPinned });
    });
  }
}

export async function nameEvaluation(
  services: ActionServices,
  { sessionId, evaluation }: EvaluationNode,
): Promise<void> {
  const name = await askForText({
    title: t('Name Evaluation: {0}', titleOfEvaluation(evaluation)),
    prompt: t('The name in the history, such as what you have changed. Empty: none.'),
    value: evaluation.name ?? '',
    validate: (value) =>
      value.length > MAX_RUN_NAME ? t('At most {0} characters.', MAX_RUN_NAME) : undefined,
  });
  if (name === undefined) return;
  await withEvaluations(services, sessionId, (stored) => stored.mark(evaluation.id, { name }));
}

/** @throws RefusalError for one that is under way */
export async function removeEvaluations(
  services: ActionServices,
  nodes: readonly EvaluationNode[],
): Promise<void> {
  for (const [sessionId, ids] of bySession(nodes))
    await withEvaluations(services, sessionId, (stored) => stored.remove(ids));
}

/** Those of an open playground know what its view shows. */
async function withEvaluations(
  { pool }: ActionServices,
  sessionId: string,
  work: (evaluations: Pick<EvaluationStore, 'mark' | 'remove'>) => Promise<void>,
): Promise<void> {
  const session = await pool.find(sessionId);
  if (session) return work(session.evaluation);
  const { EvaluationStore: Store } = await loadEngine();
  const store = await pool.store();
  await withJournal(pool, sessionId, (journal) => work(new Store(store, journal)));
}

function bySession(nodes: readonly EvaluationNode[]): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { sessionId, evaluation } of nodes)
    ids.set(sessionId, [...(ids.get(sessionId) ?? []), evaluation.id]);
  return ids;
}
