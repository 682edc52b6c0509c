// Title of a playground without a file: its name, or the first words of its first message.
import { t } from '@vscode/l10n';
import type { PlaygroundDocument } from '../../../protocol';
import { toLabel, toVisible } from '../../../inspect';

/** In UTF-16 code units. A name was chosen to be read; the words of a message only remind of it. */
const NAME_LENGTH = 60;
const WORDS_LENGTH = 32;

type Titled = Pick<PlaygroundDocument, 'messages' | 'name'>;

/** @param document undefined for a text that is not a valid document */
export function titleOf(document: Titled | undefined): string {
  const name = toLine(document?.name ?? '');
  if (name !== '') return toLabel(name, NAME_LENGTH);
  const first = document?.messages.find(({ role }) => role === 'user')?.content ?? '';
  const words = toVisible(toLine(first.slice(0, 1_000)));
  if (words === '') return t('Playground');
  return words.length > WORDS_LENGTH ? `${cut(words).trimEnd()}…` : words;
}

const toLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Does not split a surrogate pair. */
const cut = (words: string): string => words.slice(0, WORDS_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
