// Says in the findings of a recorded run what its program received. Pure.
import { t } from '@vscode/l10n';
import type { Finding, RecordedExchange, RepairedCall } from '../../types';
import type { RunRecord } from '../run/record/run-record';

/** Remedies change a lane, which a recorded run does not have. */
export function tellProgram(record: RunRecord, { repaired }: Pick<RecordedExchange, 'repaired'>): RunRecord {
  const findings = record.findings.map(({ remedies: _remedies, ...finding }) =>
    finding.cause === 'call-as-text' ? tellCall(finding, repaired?.calls ?? []) : finding,
  );
  const damaged = (repaired?.calls ?? []).filter(({ from }) => from === 'arguments');
  return { ...record, findings: [...findings, ...damaged.map(tellArguments)] };
}

function tellCall({ next, ...finding }: Finding, calls: readonly RepairedCall[]): Finding {
  const returned = calls.filter(({ from }) => from === 'text');
  if (returned.length > 0)
    return {
      ...finding,
      severity: 'info',
      what:
        returned.length === 1
          ? t('The call came as text. The program received it as a native call.')
          : t('{0} calls came as text. The program received them as native calls.', returned.length),
      tab: 'wire',
    };
  return {
    ...finding,
    what: t('The call came as text, so the program saw no call and its loop ended.'),
    next: [t('Turn on Repair calls, and the program gets native calls.'), next].filter(Boolean).join(' '),
  };
}

const tellArguments = ({ name, repairs }: RepairedCall): Finding => ({
  cause: 'damaged-call',
  severity: 'info',
  what: t(
    'The arguments of `{0}` were no valid JSON. The program received them repaired: {1}.',
    name,
    repairs.map((kind) => `\`${kind}\``).join(', '),
  ),
  tab: 'wire',
});
