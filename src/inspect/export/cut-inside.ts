// Cuts the middle out of a long text: what matters often stands at its end, such as the last message of a request. Pure.
import { t } from '@vscode/l10n';

/** @param most Of the two parts that stay, in UTF-16 code units. @returns a text that is as short unchanged */
export function cutInside(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.floor(most / 4);
  const start = most - end;
  const head = text.slice(0, start).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(text.length - end).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}\n${t('… {0} characters are left out here …', text.length - most)}\n${tail}`;
}
