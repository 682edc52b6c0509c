// Starts an evaluation, after a person has confirmed one that is large or whose cost is not known.
import { t } from '@vscode/l10n';
import type { Session } from '../../session';
import { showMessage } from '../dialogs';
import { loadEngine } from '../load-engine';

type StartOptions = Parameters<Session['evaluation']['start']>[0];

/** @returns `complete` when every sample is there already. @throws RefusalError */
export async function startEvaluation(
  session: Session,
  options: StartOptions,
): Promise<'started' | 'complete' | 'cancelled'> {
  const { RefusalError } = await loadEngine();
  const start = (isConfirmed: boolean): Promise<void> =>
    session.command(() => session.evaluation.start({ ...options, isConfirmed }));
  try {
    await start(options?.isConfirmed === true);
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const { code, what } = error.info;
    if (code === 'complete') return 'complete';
    if (code !== 'unconfirmed') throw error;
    const evaluate = t('Evaluate');
    const answer = await showMessage(
      'warning',
      t('Evaluate {0}?', session.title),
      { modal: true, detail: what },
      evaluate,
    );
    if (answer !== evaluate) return 'cancelled';
    await start(true);
  }
  return 'started';
}
