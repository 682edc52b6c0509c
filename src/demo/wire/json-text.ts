// Reads JSON text as streaming parsers do: gives the first value, or the position and state in which reading stopped. The
// error texts of both servers are made from that. Independent of both servers.

/** What the parser expected when it stopped. */
export type JsonState = 'value' | 'key' | 'separator' | 'object' | 'array';

export type JsonRead =
  | { ok: true; value: unknown; /** Offset of the end of the first value. */ end: number }
  | {
      ok: false;
      /** Offset of the character that does not fit, in UTF-16 code units. */ at: number;
      isAtEnd: boolean;
      state: JsonState;
    };

/** Reads the first JSON value of `text` and ignores what follows it. */
export function readJson(text: string): JsonRead {
  try {
    return { ok: true, value: JSON.parse(text), end: text.length };
  } catch {
    return readFirstValue(text);
  }
}

function readFirstValue(text: string): JsonRead {
  const outcome = new JsonWalker(text).walk();
  if (!outcome.ok) return outcome;
  try {
    return { ...outcome, value: JSON.parse(text.slice(0, outcome.end)) };
  } catch {
    return { ok: false, at: outcome.end - 1, isAtEnd: false, state: 'value' };
  }
}

const LITERAL = /[\w.+-]+/y;
const VALID_LITERAL = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** Iterative, because a body may be nested deeper than the call stack allows. */
class JsonWalker {
  readonly #text: string;
  readonly #open: ('object' | 'array')[] = [];
  #at = 0;
  #state: JsonState | 'done' = 'value';
  #mayClose = false;

  constructor(text: string) {
    this.#text = text;
  }

  walk(): JsonRead {
    while (this.#state !== 'done') {
      while (/[ \t\r\n]/.test(this.#text.charAt(this.#at))) this.#at += 1;
      const state: JsonState = this.#state;
      const isAtEnd = this.#at >= this.#text.length;
      if (isAtEnd || !this.#step(state)) {
        return { ok: false, at: this.#at, isAtEnd: isAtEnd || this.#at >= this.#text.length, state };
      }
    }
    return { ok: true, value: undefined, end: this.#at };
  }

  /** Reads one token. Returns false when it does not fit; the position is then that of the mistake. */
  #step(state: JsonState): boolean {
    const character = this.#text.charAt(this.#at);
    if ((this.#mayClose || state === 'object' || state === 'array') && this.#close(character)) return true;
    this.#mayClose = false;
    switch (state) {
      case 'value':
        return this.#startValue(character);
      case 'key':
        return character === '"' && this.#skipString('separator');
      case 'separator':
        return character === ':' && this.#advance('value');
      default:
        return character === ',' && this.#advance(state === 'object' ? 'key' : 'value');
    }
  }

  #startValue(character: string): boolean {
    if (character === '{' || character === '[') {
      this.#open.push(character === '{' ? 'object' : 'array');
      this.#mayClose = true;
      return this.#advance(character === '{' ? 'key' : 'value');
    }
    if (character === '"') return this.#skipString(this.#stateAfterValue());
    LITERAL.lastIndex = this.#at;
    const literal = LITERAL.exec(this.#text)?.[0] ?? '';
    const isWhole = VALID_LITERAL.test(literal);
    const reachesEnd = this.#at + literal.length === this.#text.length;
    if (isWhole || reachesEnd) this.#at += literal.length;
    if (isWhole) this.#state = this.#stateAfterValue();
    return isWhole;
  }

  #close(character: string): boolean {
    const innermost = this.#open.at(-1);
    if (character !== (innermost === 'object' ? '}' : ']')) return false;
    this.#open.pop();
    this.#mayClose = false;
    this.#at += 1;
    this.#state = this.#stateAfterValue();
    return true;
  }

  #skipString(next: JsonState | 'done'): boolean {
    let at = this.#at + 1;
    while (at < this.#text.length && this.#text.charAt(at) !== '"') {
      at += this.#text.charAt(at) === '\\' ? 2 : 1;
    }
    this.#at = Math.min(at + 1, this.#text.length);
    const isClosed = at < this.#text.length;
    if (isClosed) this.#state = next;
    return isClosed;
  }

  #stateAfterValue(): JsonState | 'done' {
    return this.#open.at(-1) ?? 'done';
  }

  #advance(next: JsonState): boolean {
    this.#at += 1;
    this.#state = next;
    return true;
  }
}
