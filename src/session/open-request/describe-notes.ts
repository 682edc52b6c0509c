// Puts into words what reading a request left out or changed. Pure.
import { t } from '@vscode/l10n';
import type { FormNote } from '../../types';

/** A line for each kind of place; a conversation of a hundred messages has the same members a hundred times. */
export function describeNotes(notes: readonly FormNote[]): string[] {
  const counts = new Map<string, { note: FormNote; count: number }>();
  for (const note of notes) {
    const key = `${note.why} ${note.path.replaceAll(/\[\d+\]/g, '[]')}`;
    const known = counts.get(key);
    if (known) known.count += 1;
    else counts.set(key, { note, count: 1 });
  }
  return [...counts.values()].map(({ note: { path, why }, count }) => {
    const shown = path.slice(0, 200);
    const place = count === 1 ? shown : t('{0} and {1} more such places', shown, count - 1);
    return WORDS[why](place);
  });
}

const WORDS: Readonly<Record<FormNote['why'], (place: string) => string>> = {
  'no-place': (place) => t('{0}, for which a playground has no place', place),
  reasoning: (place) => t('{0}, reasoning of an earlier reply', place),
  joined: (place) => t('that {0} was several texts, which are one now', place),
  role: (place) => t('that {0} was developer, which is system now', place),
};
