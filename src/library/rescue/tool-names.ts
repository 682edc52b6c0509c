// The names of a list of tools, made once for all the replies that are read with it.
import type { ToolType } from '../../types';
import { isBlank } from './json/blank';

/** What models write before a tool's name. */
export const NAME_PREFIXES: readonly string[] = [
  'namespace.functions.',
  'functions.',
  'function.',
  'tools.',
  'tool.',
  'default_api.',
  'default_api:',
];

/** Between a name and its bracket. */
const MOST_BLANKS = 4;
const PAIRS = 1024;
/** Of what is no pair of ASCII characters nobody knows. */
const NO_PAIR = 0;

export class ToolNames {
  readonly tools: readonly ToolType[];
  readonly exact: ReadonlyMap<string, ToolType>;
  readonly folded: ReadonlyMap<string, ReadonlySet<ToolType>>;
  /** By the two characters that names end and start with. */
  #ends: Uint8Array | undefined;
  #starts: Uint8Array | undefined;

  constructor(tools: readonly ToolType[]) {
    this.tools = tools.filter((tool) => typeof tool?.name === 'string');
    const exact = new Map<string, ToolType>();
    const folded = new Map<string, Set<ToolType>>();
    for (const tool of this.tools) {
      if (exact.has(tool.name)) continue;
      exact.set(tool.name, tool);
      const name = tool.name.toLowerCase();
      folded.set(name, (folded.get(name) ?? new Set()).add(tool));
    }
    this.exact = exact;
    this.folded = folded;
  }

  /** False when no name ends at `end`, or a few blanks before it. */
  mayEnd(text: string, end: number): boolean {
    this.#ends ??= toPairs([...this.exact.keys()], (name) => name.length);
    let nameEnd = end;
    while (end - nameEnd < MOST_BLANKS && nameEnd > 0 && isBlank(text.charCodeAt(nameEnd - 1))) nameEnd -= 1;
    return this.#ends[toPair(text, nameEnd)] === 1;
  }

  /** False when no name starts at `start`, with or without a prefix. */
  mayStart(text: string, start: number): boolean {
    this.#starts ??= toPairs([...this.exact.keys(), ...NAME_PREFIXES], () => 2);
    return this.#starts[toPair(text, start + 2)] === 1;
  }
}

/** A number for the two characters before `end`, whatever their case; others may have the same. */
function toPair(text: string, end: number): number {
  if (end < 2 || end > text.length) return NO_PAIR;
  const first = text.charCodeAt(end - 2);
  const second = text.charCodeAt(end - 1);
  return first < 128 && second < 128 ? 1 + ((((first | 32) << 3) ^ (second | 32)) % (PAIRS - 1)) : NO_PAIR;
}

function toPairs(names: readonly string[], toEnd: (name: string) => number): Uint8Array {
  const pairs = new Uint8Array(PAIRS);
  for (const name of names) pairs[toPair(name, toEnd(name))] = 1;
  if (pairs[NO_PAIR] === 1) pairs.fill(1);
  pairs[NO_PAIR] = 1;
  return pairs;
}

interface Known {
  /** The list as it was: whoever changes it later gets new names. */
  tools: readonly ToolType[];
  written: readonly unknown[];
  names: ToolNames;
}

const KNOWN = new WeakMap<readonly ToolType[], Known>();

export function findNames(tools: readonly ToolType[]): ToolNames {
  const known = KNOWN.get(tools);
  if (known && isSame(known, tools)) return known.names;
  const names = new ToolNames(tools);
  KNOWN.set(tools, { tools: [...tools], written: tools.map((tool) => tool?.name), names });
  return names;
}

const isSame = (known: Known, tools: readonly ToolType[]): boolean =>
  tools.length === known.tools.length &&
  tools.every((tool, index) => tool === known.tools[index] && tool?.name === known.written[index]);
