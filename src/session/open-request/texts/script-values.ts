// Reads the literal values of JavaScript, Python and JSON in a text, and the arguments of calls. Executes nothing: what is no
// literal stands as `$name`, and is noted. Pure and linear.

/** Deeper values are no request; reading them would overflow the stack. */
const MAX_DEPTH = 100;
/** Stands for an expression that is no value; its member is left out. */
const UNREAD = Symbol('unread');

/** The text has no value here. */
class NoValue extends Error {
  override readonly name = 'NoValue';
}

/** Nor can it be skipped, so what is around it has no end either. */
class Unbalanced extends NoValue {}

export interface CallArguments {
  positional: unknown[];
  named: Record<string, unknown>;
}

export interface ReadContext {
  /** Values of the variables that are assigned in the text. */
  variables: ReadonlyMap<string, unknown>;
  /** What is no literal in these values, by the name of the variable. */
  gaps?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Receives the names of what is no literal. */
  unread: Set<string>;
  /** Whether the call of a class with named arguments is the record of these, as Python prints objects. @default false */
  readsObjects?: boolean;
}

/** @returns the value that begins there, and where it ends; undefined when there is none */
export function readValue(
  text: string,
  start: number,
  context: ReadContext,
): { value: unknown; end: number } | undefined {
  return attempt(() => {
    const reader = new ScriptReader(text, start, context);
    const value = reader.value();
    return value === UNREAD ? undefined : { value, end: reader.at };
  });
}

/** @param start Behind the opening bracket. */
export function readArguments(text: string, start: number, context: ReadContext): CallArguments | undefined {
  return attempt(() => new ScriptReader(text, start, context).arguments());
}

/** @param hopeless What is thrown on. */
function attempt<T>(read: () => T, hopeless?: typeof Unbalanced): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof NoValue && !(hopeless && error instanceof hopeless)) return undefined;
    throw error;
  }
}

const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
]);

class ScriptReader {
  at: number;
  readonly #text: string;
  readonly #context: ReadContext;
  #depth = 0;

  constructor(text: string, at: number, context: ReadContext) {
    this.#text = text;
    this.at = at;
    this.#context = context;
  }

  /** @throws NoValue */
  value(): unknown {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new NoValue();
    let value = this.#term();
    for (;;) {
      this.#space();
      const isJoined = this.#take('+');
      // Texts side by side are one text in Python.
      if (!isJoined && !(typeof value === 'string' && this.#isText())) break;
      this.#space();
      value = join(value, this.#term());
    }
    this.#depth -= 1;
    return value;
  }

  /** @throws NoValue */
  arguments(): CallArguments {
    const positional: unknown[] = [];
    const named: Record<string, unknown> = {};
    for (this.#space(); !this.#take(')'); this.#comma(')')) {
      const [all = '', name] = this.#match(/(\w+)[ \t]*=(?![=>])\s*/y) ?? [];
      this.at += all.length;
      const value = this.#member(name ?? '');
      if (value === UNREAD && name === undefined) this.#context.unread.add('…');
      if (value === UNREAD) continue;
      if (name === undefined) positional.push(value);
      else set(named, name, value);
    }
    return { positional, named };
  }

  /** The value of a member or an argument; what is no value is skipped. */
  #member(name: string): unknown {
    const start = this.at;
    const depth = this.#depth;
    const value = attempt(() => {
      const read = this.value();
      this.#space();
      return /[,)\]}]/.test(this.#text.charAt(this.at)) ? { read } : undefined;
    }, Unbalanced);
    if (value && value.read !== UNREAD) return value.read;
    this.#depth = depth;
    this.at = start;
    this.#skipExpression();
    if (name !== '') this.#context.unread.add(name);
    return UNREAD;
  }

  #term(): unknown {
    this.#space();
    const unit = this.#text.charAt(this.at);
    const value = this.#isText()
      ? this.#string()
      : unit === '{'
        ? this.#object()
        : unit === '['
          ? this.#list(']')
          : unit === '('
            ? this.#bracket()
            : (this.#number() ?? this.#name());
    this.#space();
    // Text as bytes.
    const [postfix = ''] =
      this.#match(/\.encode\((?:["'][\w-]*["'])?\)|\s+as\s+(?:const|any|never)\b/y) ?? [];
    this.at += postfix.length;
    return value;
  }

  #number(): number | undefined {
    const [all] = this.#match(/[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y) ?? [];
    if (all === undefined) return undefined;
    this.at += all.length;
    return Number(all.replaceAll('_', ''));
  }

  #bracket(): unknown {
    const list = this.#list(')');
    // A list of one in round brackets is a value in brackets, unless a comma follows it.
    const isTuple = list.length !== 1 || /,\s*\)$/.test(this.#text.slice(Math.max(0, this.at - 20), this.at));
    return isTuple ? list : list[0];
  }

  #list(end: string): unknown[] {
    const list: unknown[] = [];
    this.at += 1;
    for (this.#space(); !this.#take(end); this.#comma(end)) {
      const value = this.#member('');
      if (value === UNREAD) this.#context.unread.add('…');
      else list.push(value);
    }
    return list;
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.at += 1;
    for (this.#space(); !this.#take('}'); this.#comma('}')) {
      const key = this.#key();
      this.#space();
      if (key !== undefined && this.#take(':')) {
        const value = this.#member(key);
        if (value !== UNREAD) set(object, key, value);
      } else if (key !== undefined && /[,}]/.test(this.#text.charAt(this.at))) {
        set(object, key, this.#variable(key));
      } else {
        this.#context.unread.add(key ?? '…');
        this.#skipExpression();
      }
    }
    return object;
  }

  /** @returns undefined for what is no key, such as the spread of another object */
  #key(): string | undefined {
    if (this.#isText()) return this.#string();
    const [word] = this.#match(/[\w$]+/y) ?? [];
    if (word !== undefined) {
      this.at += word.length;
      return word;
    }
    const [computed] = this.#match(/\[\s*(?=["'])/y) ?? [];
    if (computed === undefined) return undefined;
    this.at += computed.length;
    const key = this.#string();
    this.#space();
    if (!this.#take(']')) throw new NoValue();
    return key;
  }

  /** A variable, a constant, or a call of which the result is known. */
  #name(): unknown {
    const [name = ''] = this.#match(/(?:new\s+)?[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*/y) ?? [];
    if (name === '') throw new NoValue();
    this.at += name.length;
    if (WORDS.has(name)) return WORDS.get(name);
    if (name === 'undefined') return UNREAD;
    const [bracket = ''] = this.#match(/\s*(\[|\()/y) ?? [];
    const isIndex = bracket.endsWith('[');
    if (bracket !== '') this.at += bracket.length;
    if (/^(?:process\.env|os\.environ|import\.meta\.env|Deno\.env)/.test(name))
      return this.#environment(name, bracket);
    if (bracket === '') return this.#variable(name);
    if (isIndex) {
      this.#skipTo(']');
      return this.#variable(name);
    }
    if (/^os\.getenv$/.test(name)) return this.#environment(name, bracket);
    const { positional, named } = this.arguments();
    if (this.#context.readsObjects && positional.length === 0 && OBJECT.test(name))
      return toObject(name, named);
    if (/^(?:JSON\.stringify|json\.dumps)$/.test(name)) return JSON.stringify(positional[0]);
    if (/^(?:dict|OrderedDict)$/.test(name)) throw new NoValue();
    this.#context.unread.add(name);
    return UNREAD;
  }

  #environment(name: string, bracket: string): string {
    if (bracket === '') {
      const variable = `$${name.split('.').at(-1) ?? ''}`;
      this.#skipDefault();
      return variable;
    }
    this.#space();
    const variable = this.#isText() ? this.#string() : '';
    this.#skipTo(bracket.trim() === '[' ? ']' : ')');
    this.#skipDefault();
    return `$${variable}`;
  }

  /** What stands in for a variable that is not set, and the mark that it is. */
  #skipDefault(): void {
    const [mark] = this.#match(/\s*(?:!|(?:\?\?|\|\||or\b)\s*(?:''|""|["'][^"'\n]{0,200}["']))/y) ?? [];
    if (mark !== undefined) this.at += mark.length;
  }

  #variable(name: string): unknown {
    const { variables, gaps, unread } = this.#context;
    for (const gap of gaps?.get(name) ?? []) unread.add(gap);
    if (variables.has(name)) return variables.get(name);
    this.#context.unread.add(name);
    return UNREAD;
  }

  #isText(): boolean {
    return this.#match(/(?:[rbuf]{1,2})?["']|`/iy) !== undefined;
  }

  #string(): string {
    const [all = '', prefix = '', quote = ''] = this.#match(/([rbuf]{0,2})("""|'''|"|'|`)/iy) ?? [];
    this.at += all.length;
    const isRaw = /r/i.test(prefix);
    let value = '';
    for (;;) {
      if (this.at >= this.#text.length) throw new NoValue();
      if (this.#text.startsWith(quote, this.at)) break;
      const unit = this.#text.charAt(this.at);
      // A text in single or double quotes ends with its line.
      if (unit === '\n' && quote.length === 1 && quote !== '`') throw new NoValue();
      if (unit === '\\' && !isRaw) value += this.#escape();
      else {
        value += unit;
        this.at += 1;
      }
    }
    this.at += quote.length;
    if (quote === '`' || /f/i.test(prefix)) this.#noteHoles(value, quote === '`');
    return value;
  }

  /** Expressions within a text stay in it as they are written. */
  #noteHoles(text: string, isTemplate: boolean): void {
    const [hole] = (isTemplate ? /\$\{\s*([\w.]+)/ : /\{([\w.]+)/).exec(text)?.slice(1) ?? [];
    if (hole !== undefined) this.#context.unread.add(hole);
  }

  #escape(): string {
    const after = this.#text.slice(this.at + 1, this.at + 12);
    const [all = after.charAt(0), hex] =
      /^(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|U[\da-fA-F]{8}|u\{[\da-fA-F]{1,6}\}|\r\n)/.exec(after) ?? [];
    this.at += 1 + all.length;
    const code =
      hex ?? (/^[xU]|^u\{/.test(all) && all.length > 1 ? all.replaceAll(/[xuU{}]/g, '') : undefined);
    if (code !== undefined) return toCharacter(Number.parseInt(code, 16));
    if (/^\r?\n$/.test(all)) return '';
    return ESCAPES[all] ?? all;
  }

  #space(): void {
    for (;;) {
      const [blank = ''] = this.#match(/\s+|\/\/[^\n]*|#[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//y) ?? [];
      if (blank === '') return;
      this.at += blank.length;
    }
  }

  #take(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.at)) return false;
    this.at += sign.length;
    return true;
  }

  /** @throws NoValue when the list neither goes on nor ends */
  #comma(end: string): void {
    this.#space();
    if (this.#text.startsWith(end, this.at)) return;
    if (!this.#take(',')) throw new NoValue();
    this.#space();
  }

  #skipTo(end: string): void {
    this.#skipExpression();
    while (!this.#take(end)) {
      if (!this.#take(',')) throw new NoValue();
      this.#skipExpression();
    }
  }

  /** To the comma or the bracket that ends the expression. @throws Unbalanced */
  #skipExpression(): void {
    let depth = 0;
    while (this.at < this.#text.length) {
      this.#space();
      const unit = this.#text.charAt(this.at);
      if (/["'`]/.test(unit)) {
        if (attempt(() => this.#string()) === undefined) throw new Unbalanced();
        continue;
      }
      if (/[([{]/.test(unit)) depth += 1;
      if (depth === 0 && /[,)\]}]/.test(unit)) return;
      if (/[)\]}]/.test(unit)) depth -= 1;
      this.at += 1;
    }
    throw new Unbalanced();
  }

  #match(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.at;
    return sticky.exec(this.#text) ?? undefined;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
  a: '\x07',
};

/** A class, perhaps with its module. */
const OBJECT = /^(?:\w+\.)*[A-Z]\w*$/;

/** The messages of LangChain have only the name of their class for their role. */
function toObject(name: string, named: Record<string, unknown>): Record<string, unknown> {
  const isMessage = /Message(?:Chunk)?$/.test(name) && !('role' in named) && 'content' in named;
  return isMessage ? { ...named, type: name } : named;
}

const toCharacter = (code: number) => (code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\ufffd');
const isPlain = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

const join = (one: unknown, other: unknown): unknown =>
  isPlain(one) && isPlain(other) ? `${one}${other}` : UNREAD;

/** Also a member `__proto__`, whose assignment would set the prototype. */
function set(record: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
}
