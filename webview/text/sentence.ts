// A sentence with elements inside. It is one text, so that a translation decides where the elements stand.

/**
 * @param text Result of `t` without arguments, containing `{0}`, `{1}` …
 * @param parts Templates or texts to insert. A part that the text does not name is left out.
 */
export function sentence(text: string, ...parts: readonly unknown[]): unknown[] {
  return text.split(/\{(\d)\}/).map((piece, index) => (index % 2 === 0 ? piece : parts[Number(piece)]));
}
