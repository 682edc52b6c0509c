// Title of a scratch: the first words of its first message.
import { t } from '@vscode/l10n';
import type { DocumentMessage } from '../../../protocol';
import { toVisible } from '../../../inspect';

const LENGTH = 32;

export function titleOf(messages: readonly DocumentMessage[]): string {
  const first = messages.find(({ role }) => role === 'user')?.content ?? '';
  const words = toVisible(first.slice(0, 1_000).replace(/\s+/g, ' ').trim());
  if (words === '') return t('Playground');
  return words.length > LENGTH ? `${cut(words).trimEnd()}…` : words;
}

/** Does not split a surrogate pair. */
const cut = (words: string): string => words.slice(0, LENGTH).replace(/[\uD800-\uDBFF]$/, '');
