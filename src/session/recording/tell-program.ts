// Says in the findings of a recorded run what its program received. Pure.
import { t } from '@vscode/l10n';
import { describeHindrance } from '../../inspect';
import type { Finding, RecordedExchange } from '../../types';
import type { RunRecord } from '../run/record/run-record';
import { tellReceiver } from '../run/tell-receiver';

export function tellProgram(
  record: RunRecord,
  { repaired, repairing }: Pick<RecordedExchange, 'repaired' | 'repairing'>,
): RunRecord {
  const calls = repaired?.calls ?? [];
  const told = tellReceiver(record, t('The program'), calls);
  if (calls.some(({ from }) => from === 'text')) return told;
  const findings = told.findings.map((finding) =>
    finding.cause === 'call-as-text' ? tellUnseen(finding, repairing) : finding,
  );
  return { ...told, findings };
}

function tellUnseen({ next, ...finding }: Finding, repairing: RecordedExchange['repairing']): Finding {
  const what = t('The call came as text, so the program saw no call and its loop ended.');
  if (repairing === undefined) {
    const turnOn = t('Turn on Repair calls, and the program gets native calls.');
    return { ...finding, what, next: [turnOn, next].filter(Boolean).join(' ') };
  }
  const why =
    repairing === 'searched'
      ? t('Repair calls left it as it came: it is not certain to be a whole call of a reply that has ended.')
      : t('Repair calls could not return it: {0}.', describeHindrance(repairing));
  return { ...finding, what: `${what} ${why}`, next };
}
