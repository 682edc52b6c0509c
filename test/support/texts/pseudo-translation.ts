// A translation that marks each text without changing its words, so that texts that bypass it become visible.
import { readFileSync } from 'node:fs';

/** Each text of the bundle as `⟦text⟧`. */
export function pseudoTranslation(): Record<string, string> {
  const bundle = JSON.parse(readFileSync('l10n/bundle.l10n.json', 'utf8')) as Record<string, string>;
  return Object.fromEntries(Object.keys(bundle).map((text) => [text, `⟦${text}⟧`]));
}

/** The parts of a text outside of the marks that contain letters. */
export function untranslatedIn(text: string): string[] {
  let rest = text;
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(/⟦[^⟦⟧]*⟧/gu, '\n');
  }
  return rest
    .split(/[\n\0]/)
    .map((line) => line.trim())
    .filter((line) => /\p{L}{2,}/u.test(line));
}
