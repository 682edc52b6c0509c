// Splits text into the commands of a POSIX shell and their words, as far as copied commands use it. Executes nothing: what a
// shell would replace stays as it is written. Pure and linear.

export interface ShellCommand {
  words: string[];
  /** The text of a here-document, or what the command before the pipe prints. */
  input?: string | undefined;
}

export function bashCommands(text: string): ShellCommand[] {
  return new BashText(text.replaceAll('\r\n', '\n')).read();
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
};

class BashText {
  readonly #text: string;
  #at = 0;
  readonly #commands: ShellCommand[] = [];
  #words: string[] = [];
  /** undefined between words. */
  #word: string | undefined;
  #input: string | undefined;
  /** Ends of here-documents, whose texts begin on the next line. */
  #heredocs: { end: string; isIndented: boolean }[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): ShellCommand[] {
    while (this.#at < this.#text.length) this.#step();
    this.#endCommand(false);
    return this.#commands;
  }

  #step(): void {
    const unit = this.#text.charAt(this.#at);
    if (unit === '\n') return this.#endLine();
    if (unit === ' ' || unit === '\t') return this.#endWord(1);
    if (unit === '#' && this.#word === undefined) return this.#skipLine();
    if (unit === ';' || unit === '&' || unit === '|') return this.#endBySign(unit);
    if (unit === '<' && this.#text.startsWith('<<', this.#at)) return this.#openHeredoc();
    if (unit === '>') return this.#skipRedirection();
    if (unit === "'") return this.#single();
    if (unit === '"') return this.#double();
    if (unit === '$' && this.#text.charAt(this.#at + 1) === "'") return this.#ansi();
    if (unit === '\\') return this.#escape();
    this.#add(unit, 1);
  }

  #add(text: string, length: number): void {
    this.#word = (this.#word ?? '') + text;
    this.#at += length;
  }

  #endWord(length: number): void {
    if (this.#word !== undefined) this.#words.push(this.#word);
    this.#word = undefined;
    this.#at += length;
  }

  #endLine(): void {
    this.#endWord(1);
    const input = this.#heredocs.map((heredoc) => this.#readHeredoc(heredoc)).at(-1);
    this.#heredocs = [];
    if (input !== undefined) this.#input = input;
    this.#endCommand(false);
  }

  #endBySign(unit: string): void {
    this.#endWord(1);
    const isDouble = this.#text.charAt(this.#at) === unit;
    if (isDouble) this.#at += 1;
    // The here-document of a line with a pipe begins below it, so it is not the input of this command.
    this.#endCommand(unit === '|' && !isDouble);
  }

  #endCommand(isPiped: boolean): void {
    this.#endWord(0);
    if (this.#words.length > 0) this.#commands.push({ words: this.#words, input: this.#input });
    this.#input = isPiped ? printedBy(this.#words) : undefined;
    this.#words = [];
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  /** Skips the sign; the file after it would be taken for a word. */
  #skipRedirection(): void {
    if (/^[12&]$/.test(this.#word ?? '')) this.#word = undefined;
    this.#endWord(1);
    const [target = ''] = /^>?(?:&\d|[ \t]*[\w./-]*)/.exec(this.#text.slice(this.#at, this.#at + 300)) ?? [];
    this.#at += target.length;
  }

  #openHeredoc(): void {
    const [all = '<<', dash = '', end = ''] =
      /^<<(-?)[ \t]*["'\\]?(\w*)["']?/.exec(this.#text.slice(this.#at, this.#at + 200)) ?? [];
    this.#endWord(all.length);
    if (end !== '') this.#heredocs.push({ end, isIndented: dash !== '' });
  }

  #readHeredoc({ end, isIndented }: { end: string; isIndented: boolean }): string {
    const lines: string[] = [];
    while (this.#at < this.#text.length) {
      const stop = this.#text.indexOf('\n', this.#at);
      const line = this.#text.slice(this.#at, stop < 0 ? undefined : stop);
      this.#at = stop < 0 ? this.#text.length : stop + 1;
      const shown = isIndented ? line.replace(/^\t+/, '') : line;
      if (shown.trimEnd() === end) break;
      lines.push(shown);
    }
    return lines.join('\n');
  }

  #single(): void {
    const end = this.#text.indexOf("'", this.#at + 1);
    const stop = end < 0 ? this.#text.length : end;
    this.#add(this.#text.slice(this.#at + 1, stop), stop + 1 - this.#at);
  }

  #double(): void {
    let part = '';
    let at = this.#at + 1;
    for (; at < this.#text.length && this.#text[at] !== '"'; at++) {
      const next = this.#text.charAt(at + 1);
      if (this.#text[at] !== '\\' || !'"\\$`\n'.includes(next) || next === '') {
        part += this.#text.charAt(at);
        continue;
      }
      if (next !== '\n') part += next;
      at++;
    }
    this.#add(part, at + 1 - this.#at);
  }

  /** The quotes of bash in which a backslash has the meaning that it has in C. */
  #ansi(): void {
    let part = '';
    let at = this.#at + 2;
    while (at < this.#text.length && this.#text[at] !== "'") {
      if (this.#text[at] !== '\\') {
        part += this.#text.charAt(at);
        at++;
        continue;
      }
      const { text, length } = readEscape(this.#text.slice(at + 1, at + 10));
      part += text;
      at += 1 + length;
    }
    this.#add(part, at + 1 - this.#at);
  }

  #escape(): void {
    const next = this.#text.charAt(this.#at + 1);
    if (next === '\n') this.#at += 2;
    else this.#add(next, 2);
  }
}

/** @param after What follows the backslash. */
function readEscape(after: string): { text: string; length: number } {
  const [, hex] = /^(?:x([\da-fA-F]{1,2})|u[\da-fA-F]{1,4}|U[\da-fA-F]{1,8})/.exec(after) ?? [];
  if (hex !== undefined)
    return { text: String.fromCodePoint(Number.parseInt(hex, 16)), length: 1 + hex.length };
  const [unicode] = /^(?:u[\da-fA-F]{1,4}|U[\da-fA-F]{1,8})/.exec(after) ?? [];
  if (unicode !== undefined) {
    const code = Number.parseInt(unicode.slice(1), 16);
    return { text: code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\ufffd', length: unicode.length };
  }
  const [octal] = /^[0-7]{1,3}/.exec(after) ?? [];
  if (octal !== undefined)
    return { text: String.fromCodePoint(Number.parseInt(octal, 8)), length: octal.length };
  const letter = after.charAt(0);
  return { text: ESCAPES[letter] ?? (/[\\'"?]/.test(letter) ? letter : `\\${letter}`), length: 1 };
}

/** What `printf %s` and `echo` print, with which a long body is passed on. */
function printedBy([command, ...words]: readonly string[]): string | undefined {
  if (command === 'printf' && words.length > 1 && /^%s(\\n)?$/.test(words[0] ?? '')) return words[1];
  return command === 'echo' ? words.filter((word) => !/^-[neE]+$/.test(word)).join(' ') : undefined;
}
