// How an agent run came out, in words. Pure.
import type { AgentEnding } from '../../src/protocol';
import { countOf } from '../text/format';

/** Such as `Answer` and ` · after 1 call, rescued`. */
export function describeEnding({ stopReason, steps, answered, rescued }: AgentEnding): {
  word: string;
  rest: string;
} {
  const calls = answered > 0 ? `after ${countOf(answered, 'call')}${describeRescued(answered, rescued)}` : '';
  const after = `after ${countOf(steps, 'step')}`;
  const endings = {
    answer: ['Answer', calls],
    'max-steps': ['Step limit reached', after],
    budget: ['Budget reached', after],
    stopped: ['Stopped', `in step ${steps}`],
    error: ['Failed', `in step ${steps}`],
    interrupted: ['Interrupted', `in step ${steps}`],
  } as const;
  const [word, rest] = endings[stopReason];
  return { word, rest: rest === '' ? '' : ` · ${rest}` };
}

/** How the calls were answered: `2 calls answered`, `1 of them with an error`. */
export function describeAnswers({ answered, errors }: AgentEnding): string[] {
  if (answered === 0) return [];
  const failed = answered === 1 ? 'with an error' : `${errors} of them with an error`;
  return [`${countOf(answered, 'call')} answered`, ...(errors > 0 ? [failed] : [])];
}

function describeRescued(answered: number, rescued: number): string {
  if (rescued === 0) return '';
  return rescued >= answered ? ', rescued' : `, ${rescued} rescued`;
}
