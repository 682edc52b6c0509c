// Replaces lone surrogates, such as half of an emoji that was cut in two: they have no UTF-8 encoding, and no server accepts
// them. Pure.

/**
 * The value with U+FFFD in place of each lone surrogate; the same value when there is none.
 * @param places Receives the path of each text that was changed, such as `messages[0].content`.
 */
export function mendTexts<Value>(value: Value, path: string, places: string[]): Value {
  return new Mender(places).mend(value, path) as Value;
}

class Mender {
  readonly #places: string[];
  /** The objects around the current value. A cycle is left unchanged; serialising it fails anyway. */
  readonly #above = new Set<object>();

  constructor(places: string[]) {
    this.#places = places;
  }

  mend(value: unknown, path: string): unknown {
    if (typeof value === 'string') return this.#mendText(value, path);
    if (typeof value !== 'object' || value === null || this.#above.has(value)) return value;
    this.#above.add(value);
    const mended = Array.isArray(value) ? this.#mendList(value, path) : this.#mendRecord(value, path);
    this.#above.delete(value);
    return mended;
  }

  #mendText(text: string, path: string): string {
    if (text.isWellFormed()) return text;
    this.#places.push(path);
    return text.toWellFormed();
  }

  #mendList(list: readonly unknown[], path: string): readonly unknown[] {
    const mended = list.map((member, index) => this.mend(member, `${path}[${index}]`));
    return mended.some((member, index) => member !== list[index]) ? mended : list;
  }

  #mendRecord(record: object, path: string): object {
    const members = Object.entries(record);
    const mended = members.map(([key, member]) => {
      const place = path === '' ? key : `${path}.${key}`;
      return [this.#mendText(key, place), this.mend(member, place)] as const;
    });
    const isSame = mended.every(([key, member], index) => {
      const [oldKey, oldMember] = members[index] ?? [];
      return key === oldKey && member === oldMember;
    });
    return isSame ? record : Object.fromEntries(mended);
  }
}
