// Which of many literal strings stand at a place of a text, without regard to ASCII case. Knows no meaning.

interface Node<Value> {
  /** By folded character code below 128; the rest in `others`. */
  readonly ascii: (Node<Value> | undefined)[];
  readonly others: Map<number, Node<Value>>;
  readonly entries: Entry<Value>[];
}

// most literals are one value's alone, and nothing shorter stands before them
const join = <Value>(longer: readonly Value[], shorter: readonly Value[]): readonly Value[] =>
  shorter.length === 0 ? longer : [...longer, ...shorter];

interface Entry<Value> {
  literal: string;
  value: Value;
  /** The value alone, made once. */
  alone: readonly Value[];
}

const NONE: readonly never[] = [];

export class LiteralTrie<Value> {
  readonly #root: Node<Value> = createNode();

  add(literal: string, value: Value): void {
    let node = this.#root;
    for (let index = 0; index < literal.length; index += 1)
      node = descend(node, fold(literal.charCodeAt(index)));
    node.entries.push({ literal, value, alone: [value] });
  }

  /** Longest literal first; of equal ones those in the text's case first, then in the order of adding. */
  matches(text: string, at: number): readonly Value[] {
    let found: readonly Value[] = NONE;
    let node: Node<Value> | undefined = this.#root;
    for (let next = at; node; next += 1) {
      const { entries }: Node<Value> = node;
      if (entries.length > 0) found = join(toValues(text, at, entries), found);
      node = next < text.length ? find(node, fold(text.charCodeAt(next))) : undefined;
    }
    return found;
  }
}

const createNode = <Value>(): Node<Value> => ({
  ascii: Array.from({ length: 128 }, () => undefined),
  others: new Map(),
  entries: [],
});

const find = <Value>(node: Node<Value>, code: number): Node<Value> | undefined =>
  code < 128 ? node.ascii[code] : node.others.get(code);

function descend<Value>(node: Node<Value>, code: number): Node<Value> {
  const known = find(node, code);
  if (known) return known;
  const created = createNode<Value>();
  if (code < 128) node.ascii[code] = created;
  else node.others.set(code, created);
  return created;
}

// ASCII only: other letters fold to other lengths
const fold = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

function toValues<Value>(text: string, at: number, entries: readonly Entry<Value>[]): readonly Value[] {
  const [first] = entries;
  if (entries.length === 1 && first) return first.alone;
  const exact = entries.filter(({ literal }) => text.startsWith(literal, at));
  const folded = entries.filter(({ literal }) => !text.startsWith(literal, at));
  return [...exact, ...folded].map(({ value }) => value);
}
