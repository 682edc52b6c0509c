// The tabs of a run in the inspector: what each is called and counts.
import { t } from '@vscode/l10n';
import type { InspectorTab } from '../../../src/types';
import { countCalls, countSpans } from '../../lanes/lane-queries';
import { countAttempts, countBegunAttempts } from '../../text/format';
import type { Inspected } from './inspected';

export interface RunTab {
  id: InspectorTab;
  label: () => string;
  count: (inspected: Pick<Inspected, 'lane' | 'run' | 'isLive'>) => number;
}

/** The tabs in their order; a new tab is one more line. */
export const RUN_TABS: readonly RunTab[] = [
  { id: 'reply', label: () => t('Reply'), count: () => 0 },
  {
    id: 'tool-calls',
    label: () => t('Tool calls'),
    count: ({ run }) => countCalls(run),
  },
  {
    id: 'rescue',
    label: () => t('Rescue'),
    count: ({ run }) => countSpans(run),
  },
  {
    id: 'attempts',
    label: () => t('Attempts'),
    count: ({ lane, run, isLive: isUnderWay }) =>
      isUnderWay ? countBegunAttempts(lane.progress) : countAttempts(run.outcome?.ledger ?? []),
  },
  { id: 'wire', label: () => t('Wire'), count: () => 0 },
];
