// Which of many literal strings stand at a place of a text, without regard to ASCII case. Knows no meaning.

interface Node<Value> {
  /** By folded character code below 128, near the root, where every place of a text is looked up; else empty. */
  readonly ascii: (Node<Value> | undefined)[];
  readonly others: Map<number, Node<Value>>;
  readonly entries: Entry<Value>[];
  /** Those of the entries, in their order. */
  readonly values: Value[];
}

// most literals are one value's alone, and nothing shorter stands before them
const join = <Value>(longer: readonly Value[], shorter: readonly Value[]): readonly Value[] =>
  shorter.length === 0 ? longer : [...longer, ...shorter];

interface Entry<Value> {
  literal: string;
  value: Value;
}

const NONE: readonly never[] = [];

export class LiteralTrie<Value> {
  readonly #root: Node<Value> = createNode(0);

  add(literal: string, value: Value): void {
    let node = this.#root;
    for (let index = 0; index < literal.length; index += 1)
      node = descend(node, fold(literal.charCodeAt(index)), index + 1);
    node.entries.push({ literal, value });
    node.values.push(value);
  }

  /** Longest literal first; of equal ones those in the text's case first, then in the order of adding. */
  matches(text: string, at: number): readonly Value[] {
    let found: readonly Value[] = NONE;
    let node: Node<Value> | undefined = this.#root;
    for (let next = at; node; next += 1) {
      const current: Node<Value> = node;
      if (current.entries.length > 0) found = join(toValues(text, at, current), found);
      node = next < text.length ? find(node, fold(text.charCodeAt(next))) : undefined;
    }
    return found;
  }

  /** One of them stands at `at`. */
  has(text: string, at: number): boolean {
    let node: Node<Value> | undefined = this.#root;
    for (let next = at; node; next += 1) {
      if (node.entries.length > 0) return true;
      node = next < text.length ? find(node, fold(text.charCodeAt(next))) : undefined;
    }
    return false;
  }

  /** The text ends at `at` or after it, in the middle of a literal. */
  isCut(text: string, at: number): boolean {
    let node: Node<Value> | undefined = this.#root;
    for (let next = at; node && next < text.length; next += 1) node = find(node, fold(text.charCodeAt(next)));
    return node !== undefined && !isLeaf(node);
  }
}

const isLeaf = <Value>({ ascii, others }: Node<Value>): boolean =>
  others.size === 0 && ascii.every((next) => next === undefined);

/** A table for every node would be a megabyte for a hundred literals. */
const DEEPEST_TABLE = 1;

const createNode = <Value>(depth: number): Node<Value> => ({
  ascii: depth > DEEPEST_TABLE ? [] : Array.from({ length: 128 }, () => undefined),
  others: new Map(),
  entries: [],
  values: [],
});

const find = <Value>(node: Node<Value>, code: number): Node<Value> | undefined =>
  code < node.ascii.length ? node.ascii[code] : node.others.get(code);

function descend<Value>(node: Node<Value>, code: number, depth: number): Node<Value> {
  const known = find(node, code);
  if (known) return known;
  const created = createNode<Value>(depth);
  if (code < node.ascii.length) node.ascii[code] = created;
  else node.others.set(code, created);
  return created;
}

// ASCII only: other letters fold to other lengths
const fold = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

function toValues<Value>(text: string, at: number, { entries, values }: Node<Value>): readonly Value[] {
  const literal = entries[0]?.literal ?? '';
  // as a rule all of them spell it alike, and then nothing is to be sorted
  if (entries.every((entry) => entry.literal === literal)) return values;
  const exact = entries.filter((entry) => text.startsWith(entry.literal, at));
  const folded = entries.filter((entry) => !text.startsWith(entry.literal, at));
  return [...exact, ...folded].map(({ value }) => value);
}
