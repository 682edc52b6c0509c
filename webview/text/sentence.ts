// A text in which elements stand: a translation says where, so it is one text and not the pieces between them.

/**
 * @param text As `t` gives it without arguments, with `{0}`, `{1}` … in it.
 * @param parts What stands there: templates, texts. One that the text does not name is left out.
 */
export function sentence(text: string, ...parts: readonly unknown[]): unknown[] {
  return text.split(/\{(\d)\}/).map((piece, index) => (index % 2 === 0 ? piece : parts[Number(piece)]));
}
