// Finds which of many literals are at an offset of a text, ignoring ASCII case. Independent of their meaning.

interface TrieEntry<Value> {
  literal: string;
  value: Value;
}

class Node<Value> {
  /** By character code, in lower case. */
  readonly next = new Map<number, Node<Value>>();
  readonly entries: TrieEntry<Value>[] = [];
  /** The values of the entries, in the same order. */
  readonly values: Value[] = [];
  /** Whether all entries have the same spelling, so that nothing has to be sorted. */
  isUniform = true;
}

export class LiteralTrie<Value> {
  readonly #root = new Node<Value>();
  #longest = 0;

  add(literal: string, value: Value): void {
    let node = this.#root;
    for (let index = 0; index < literal.length; index += 1) {
      const code = fold(literal.charCodeAt(index));
      const next = node.next.get(code) ?? new Node<Value>();
      node.next.set(code, next);
      node = next;
    }
    this.#longest = Math.max(this.#longest, literal.length);
    node.isUniform &&= (node.entries[0]?.literal ?? literal) === literal;
    node.entries.push({ literal, value });
    node.values.push(value);
  }

  /** Codes of the characters with which literals begin, in both cases. */
  get firsts(): number[] {
    return [...this.#root.next.keys()].flatMap((code) =>
      code >= 97 && code <= 122 ? [code, code - 32] : code,
    );
  }

  /**
   * The values of the literals at `at`, the longest literal first. Among equal ones, those in the case of the text come
   * first, then the order of adding counts.
   */
  matches(text: string, at: number): readonly Value[] {
    let found: readonly Value[] = NONE;
    let node: Node<Value> | undefined = this.#root;
    for (let next = at; node; next += 1) {
      const { values, isUniform } = node;
      if (values.length > 0) {
        const longer = isUniform ? values : toSorted(text, at, node);
        found = found.length === 0 ? longer : [...longer, ...found];
      }
      if (next >= text.length) break;
      const code = text.charCodeAt(next);
      node = node.next.get(code > 90 || code < 65 ? code : code + 32);
    }
    return found;
  }

  /** Whether the text ends in the middle of a literal that begins at `at`. */
  isCut(text: string, at: number): boolean {
    if (text.length - at >= this.#longest) return false;
    let node: Node<Value> | undefined = this.#root;
    for (let next = at; node && next < text.length; next += 1)
      node = node.next.get(fold(text.charCodeAt(next)));
    return node !== undefined && node.next.size > 0;
  }
}

const NONE: readonly never[] = [];

// Only ASCII: other letters may change their length when their case changes.
const fold = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

function toSorted<Value>(text: string, at: number, { entries }: Node<Value>): readonly Value[] {
  const exact = entries.filter((entry) => text.startsWith(entry.literal, at));
  const folded = entries.filter((entry) => !text.startsWith(entry.literal, at));
  return [...exact, ...folded].map(({ value }) => value);
}
