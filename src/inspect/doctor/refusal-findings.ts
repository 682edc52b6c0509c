// The finding about a reply that the service refused to continue, and what the service says of a refusal. Pure.
import { t } from '@vscode/l10n';
import type { Finding, FindingEvidence } from '../../types';
import type { DiagnosisInput } from './diagnosis-input';
import { inAnswer, quote } from './diagnosis-input';

/** In the words of the service, which are the only ones that say why. */
export function refusalEvidence({ turn }: Pick<DiagnosisInput, 'turn'>): FindingEvidence[] {
  const { category, explanation } = turn.raw.refusal ?? {};
  return [
    ...(category === undefined ? [] : [quote(inAnswer('/stop_details/category'), category)]),
    ...(explanation === undefined ? [] : [quote(inAnswer('/stop_details/explanation'), explanation)]),
  ];
}

/** For a reply that is not empty: an empty one has a finding of its own. */
export function refusalFindings(input: DiagnosisInput): Finding[] {
  const evidence = refusalEvidence(input);
  if (evidence.length === 0) return [];
  return [
    {
      cause: 'reply-filtered',
      severity: 'warning',
      what: t('The service refused to continue this reply, and ended it here.'),
      evidence,
      next: t('Word the request in another way, or change the filter in the settings of the service.'),
      tab: 'reply',
    },
  ];
}
