// Says in the findings of a run what whoever asked for it received, where that is not what the model wrote. Pure.
import { t } from '@vscode/l10n';
import type { Finding, RepairedCall } from '../../types';
import type { RunRecord } from './record/run-record';

/**
 * Remedies change a lane, which such a run does not have.
 * @param receiver Who asked, as the subject of a sentence: `The program`.
 * @param calls Those that are not as the model wrote them.
 */
export function tellReceiver(record: RunRecord, receiver: string, calls: readonly RepairedCall[]): RunRecord {
  const texts = calls.filter(({ from }) => from === 'text').length;
  const findings = record.findings.map(({ remedies: _remedies, ...finding }) =>
    finding.cause === 'call-as-text' && texts > 0 ? tellTexts(finding, receiver, texts) : finding,
  );
  const damaged = calls.filter(({ from }) => from === 'arguments');
  return { ...record, findings: [...findings, ...damaged.map((call) => tellArguments(call, receiver))] };
}

const tellTexts = ({ next: _next, ...finding }: Finding, receiver: string, count: number): Finding => ({
  ...finding,
  severity: 'info',
  what:
    count === 1
      ? t('The call came as text. {0} received it as a native call.', receiver)
      : t('{1} calls came as text. {0} received them as native calls.', receiver, count),
  tab: 'wire',
});

const tellArguments = ({ name, repairs }: RepairedCall, receiver: string): Finding => ({
  cause: 'damaged-call',
  severity: 'info',
  what: t(
    'The arguments of `{0}` were no valid JSON. {1} received them repaired: {2}.',
    name,
    receiver,
    repairs.map((kind) => `\`${kind}\``).join(', '),
  ),
  tab: 'wire',
});
