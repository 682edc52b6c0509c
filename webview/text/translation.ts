// Applies the translation embedded in the page. Without one, all texts are the English ones in the code.
import { config } from '@vscode/l10n';

/** Must be called before anything is drawn. */
export function useTranslation(page: Document): void {
  const contents = page.querySelector<HTMLMetaElement>('meta[name=translation]')?.content;
  if (contents !== undefined) config({ contents });
}
