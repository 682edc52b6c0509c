// Names of expectations and short words for what one wants. Pure.
import { t } from '@vscode/l10n';
import type { Expectation } from '../../src/types';
import { headOf } from '../text/format';

const MAX_NAME = 80;
const MAX_CALLS = 3;

/** The name that a person gave, otherwise what it wants. */
export function nameOfExpectation(
  expectation: Pick<Expectation, 'name'> & Partial<Expectation>,
  index: number,
): string {
  const name = expectation.name?.trim() || wantOf(expectation) || t('expectation {0}', index + 1);
  return name.length > MAX_NAME ? `${headOf(name, MAX_NAME)}…` : name;
}

function wantOf({ calls, never, text, finish, verdict, max }: Partial<Expectation>): string {
  if (calls) {
    const names = calls.slice(0, MAX_CALLS).map(({ tool }) => tool);
    return calls.length === 0 ? t('no call') : `${names.join(', ')}${calls.length > MAX_CALLS ? ', …' : ''}`;
  }
  if (never && never.length > 0) return t('never {0}', never.slice(0, MAX_CALLS).join(', '));
  if (text !== undefined) return t('text of the reply');
  if (finish !== undefined) return t('finish reason');
  if (verdict !== undefined) return t('outcome');
  return max ? t('limits') : '';
}
