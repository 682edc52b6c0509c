// Reads tables, lists and literals of PowerShell, as scripts write them for `ConvertTo-Json`. Executes nothing. Pure.

export interface Token {
  /** `sign`: a bracket, an assignment, a comma or the end of a statement. */
  kind: 'text' | 'word' | 'variable' | 'sign';
  value: string;
}

/** The tokens that each variable is assigned, by its name in lower case. */
export type Values = ReadonlyMap<string, readonly Token[]>;

/** Deeper values are no request; reading them would overflow the stack. */
const MAX_DEPTH = 100;
/** Variables within variables would let a short text grow without end. */
const MAX_VALUES = 100_000;

/** Such as `[ordered]`. */
export const isCast = (word: string): boolean => /^\[[\w.[\]]+\]$/.test(word);

/** @returns what the tokens begin with; a variable without a value stands as it is written */
export function readPowerShellValue(tokens: readonly Token[], values: Values): unknown {
  return new ValueReader(tokens, values, { left: MAX_VALUES }, 0).read();
}

const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

class ValueReader {
  readonly #tokens: readonly Token[];
  readonly #values: Values;
  readonly #budget: { left: number };
  readonly #depth: number;
  #at = 0;

  constructor(tokens: readonly Token[], values: Values, budget: { left: number }, depth: number) {
    this.#tokens = tokens;
    this.#values = values;
    this.#budget = budget;
    this.#depth = depth;
  }

  read(depth = this.#depth): unknown {
    const one = this.#one(depth);
    if (!this.#is(',')) return one;
    const list = [one];
    while (this.#is(',')) {
      this.#at += 1;
      this.#skip(';');
      list.push(this.#one(depth));
    }
    return list;
  }

  #one(depth: number): unknown {
    this.#budget.left -= 1;
    const token = this.#tokens[this.#at++];
    if (!token || depth > MAX_DEPTH || this.#budget.left < 0) return null;
    const { kind, value } = token;
    if (kind === 'text') return value;
    if (kind === 'variable') return this.#variable(value, depth);
    if (kind === 'word') return isCast(value) ? this.#one(depth + 1) : toLiteral(value);
    if (value === '@{') return this.#table(depth + 1);
    if (value === '@(') return this.#list(depth + 1);
    if (value !== '(') return null;
    const inner = this.read(depth + 1);
    this.#skipTo(')');
    return inner;
  }

  #variable(name: string, depth: number): unknown {
    const key = name.toLowerCase();
    if (CONSTANTS.has(key)) return CONSTANTS.get(key);
    const tokens = this.#values.get(key);
    return tokens ? new ValueReader(tokens, this.#values, this.#budget, depth + 1).read() : `$${name}`;
  }

  #table(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    for (this.#skip(';'); this.#at < this.#tokens.length && !this.#is('}'); this.#skip(';')) {
      const name = this.#tokens[this.#at++]?.value ?? '';
      if (!this.#is('=')) continue;
      this.#at += 1;
      this.#skip(';');
      entries.push([name, this.read(depth)]);
      this.#skipPipe();
    }
    this.#at += 1;
    return Object.fromEntries(entries);
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = [];
    for (this.#skip(';'); this.#at < this.#tokens.length && !this.#is(')'); this.#skip(';')) {
      const value = this.read(depth);
      // `@(1, 2)` has two elements; a list in brackets that follows others is one of them.
      const isSeveral =
        Array.isArray(value) && !(this.#tokens[this.#at - 1]?.value === ')' && list.length > 0);
      if (isSeveral) for (const one of value as unknown[]) list.push(one);
      else list.push(value);
      this.#skipPipe();
    }
    this.#at += 1;
    return list;
  }

  #is(sign: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === 'sign' && token.value === sign;
  }

  #skip(sign: string): void {
    while (this.#is(sign)) this.#at += 1;
  }

  /** What a value is passed on to says nothing here. */
  #skipPipe(): void {
    if (!this.#is('|')) return;
    while (this.#at < this.#tokens.length && !this.#is(';') && !this.#is('}') && !this.#is(')'))
      this.#at += 1;
  }

  #skipTo(sign: string): void {
    while (this.#at < this.#tokens.length && !this.#is(sign)) this.#at += 1;
    this.#at += 1;
  }
}

const toLiteral = (word: string): unknown =>
  /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(word) ? Number(word) : word;
