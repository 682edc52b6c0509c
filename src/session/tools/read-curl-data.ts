// Extracts the request body from a `curl` command copied from a terminal or a browser. Does not parse JSON; runs nothing.

const DATA_FLAGS = new Set(['-d', '--data', '--data-raw', '--data-binary', '--data-ascii', '--json']);
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };
const HEX_ESCAPE = /(?:u([\da-f]{1,4})|x([\da-f]{1,2}))/iy;

/** @returns the bodies in order; undefined when the text is no curl command */
export function readCurlData(text: string): string[] | undefined {
  const command = /^\s*(?:\$\s+)?curl\s/.exec(text);
  if (!command) return undefined;
  const args = toWords(text.slice(command[0].length));
  const bodies = args.flatMap((word, at) => {
    if (DATA_FLAGS.has(word)) return args[at + 1] ?? [];
    const [flag = '', ...rest] = word.split('=');
    if (DATA_FLAGS.has(flag) && flag.startsWith('--') && rest.length > 0) return rest.join('=');
    return word.startsWith('-d') && word.length > 2 ? word.slice(2) : [];
  });
  return bodies.filter((body) => !body.startsWith('@')); // '@' precedes a file name
}

/** Splits into words as bash does, but without expansions. */
function toWords(text: string): string[] {
  const words: string[] = [];
  const reader = new ShellReader(text);
  for (let word = reader.next(); word !== undefined; word = reader.next()) words.push(word);
  return words;
}

class ShellReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): string | undefined {
    while (/^(?:\s|\\\r?\n)/.test(this.#text.slice(this.#at, this.#at + 3))) {
      this.#at += this.#text[this.#at] === '\\' ? this.#text.indexOf('\n', this.#at) - this.#at + 1 : 1;
    }
    if (this.#at >= this.#text.length) return undefined;
    let word = '';
    while (this.#at < this.#text.length && !/\s/.test(this.#text.charAt(this.#at))) word += this.#readPart();
    return word;
  }

  #readPart(): string {
    const character = this.#text.charAt(this.#at++);
    if (character === "'") return this.#readTo("'");
    if (character === '"') return this.#readQuoted('"', readDoubleQuoted);
    if (character === '$' && this.#text[this.#at] === "'") {
      this.#at += 1;
      return this.#readQuoted("'", (next) => this.#readAnsi(next));
    }
    if (character !== '\\') return character;
    const next = this.#text.charAt(this.#at++);
    // A backslash before a line end, in either form, joins the lines.
    if (next === '\r' && this.#text[this.#at] === '\n') this.#at += 1;
    return /[\r\n]/.test(next) ? '' : next;
  }

  #readTo(end: string): string {
    const found = this.#text.indexOf(end, this.#at);
    const until = found === -1 ? this.#text.length : found;
    const part = this.#text.slice(this.#at, until);
    this.#at = until + 1;
    return part;
  }

  #readQuoted(end: string, readEscape: (next: string) => string): string {
    let part = '';
    for (;;) {
      const character = this.#text.charAt(this.#at++);
      if (character === end || character === '') return part;
      part += character === '\\' ? readEscape(this.#text.charAt(this.#at++)) : character;
    }
  }

  #readAnsi(next: string): string {
    HEX_ESCAPE.lastIndex = this.#at - 1;
    const [all = '', unit, byte] = HEX_ESCAPE.exec(this.#text) ?? [];
    if (all === '') return Object.hasOwn(ESCAPES, next) ? (ESCAPES[next] ?? next) : next;
    this.#at += all.length - 1;
    return String.fromCharCode(Number.parseInt(unit ?? byte ?? '0', 16));
  }
}

function readDoubleQuoted(next: string): string {
  if (next === '\n') return '';
  return '"\\$`'.includes(next) ? next : `\\${next}`;
}
