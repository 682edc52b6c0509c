// Says in the findings of a recorded run what its program received. Pure.
import { t } from '@vscode/l10n';
import type { Finding, RecordedExchange } from '../../types';
import type { RunRecord } from '../run/record/run-record';
import { tellReceiver } from '../run/tell-receiver';

export function tellProgram(record: RunRecord, { repaired }: Pick<RecordedExchange, 'repaired'>): RunRecord {
  const calls = repaired?.calls ?? [];
  const told = tellReceiver(record, t('The program'), calls);
  if (calls.some(({ from }) => from === 'text')) return told;
  const findings = told.findings.map((finding) =>
    finding.cause === 'call-as-text' ? tellUnseen(finding) : finding,
  );
  return { ...told, findings };
}

const tellUnseen = ({ next, ...finding }: Finding): Finding => ({
  ...finding,
  what: t('The call came as text, so the program saw no call and its loop ended.'),
  next: [t('Turn on Repair calls, and the program gets native calls.'), next].filter(Boolean).join(' '),
});
