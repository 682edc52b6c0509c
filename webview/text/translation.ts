// The translation that the page came with. Without one all texts are English, as they stand in the code.
import { config } from '@vscode/l10n';

/** To be called before anything is drawn. */
export function useTranslation(page: Document): void {
  const contents = page.querySelector<HTMLMetaElement>('meta[name=translation]')?.content;
  if (contents !== undefined) config({ contents });
}
