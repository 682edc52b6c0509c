// The ending of an agent run in words. Pure.
import { t } from '@vscode/l10n';
import type { AgentEnding } from '../../src/protocol';
import { countOf } from '../text/format';

/** Such as `Answer` and ` · after 1 call, rescued`. */
export function describeEnding({ stopReason, steps, answered, rescued }: AgentEnding): {
  word: string;
  rest: string;
} {
  const calls = [describeCalls(answered), describeRescued(answered, rescued)].filter(Boolean).join(', ');
  const after = countOf(steps, t('after {0} step'), t('after {0} steps'));
  const endings = {
    answer: [t('Answer'), calls],
    'max-steps': [t('Step limit reached'), after],
    budget: [t('Budget reached'), after],
    stopped: [t('Stopped'), t('in step {0}', steps)],
    error: [t('Failed'), t('in step {0}', steps)],
    interrupted: [t('Interrupted'), t('in step {0}', steps)],
  } as const;
  const [word, rest] = endings[stopReason];
  return { word, rest: rest === '' ? '' : ` · ${rest}` };
}

/** How the calls were answered: `2 calls answered`, `1 of them with an error`. */
export function describeAnswers({ answered, errors }: AgentEnding): string[] {
  if (answered === 0) return [];
  const failed = answered === 1 ? t('with an error') : t('{0} of them with an error', errors);
  const all = countOf(answered, t('{0} call answered'), t('{0} calls answered'));
  return [all, ...(errors > 0 ? [failed] : [])];
}

function describeCalls(answered: number): string {
  return answered === 0 ? '' : countOf(answered, t('after {0} call'), t('after {0} calls'));
}

function describeRescued(answered: number, rescued: number): string {
  if (answered === 0 || rescued === 0) return '';
  return rescued >= answered ? t('rescued') : t('{0} rescued', rescued);
}
