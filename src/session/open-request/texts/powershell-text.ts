// Reads the tokens of PowerShell, as far as copied commands use it, and the requests in them. Executes nothing: a variable
// stays as it is written. Pure and linear.
import type { FoundRequest } from '../found-request';
import { readCurl } from './curl-arguments';

interface Token {
  /** `sign`: a bracket, an assignment, a comma or the end of a statement. */
  kind: 'text' | 'word' | 'variable' | 'sign';
  value: string;
}

/** Reads the calls of `curl.exe`. The bodies of ours are in files that the script writes before. */
export function powerShellCurl(text: string): FoundRequest[] {
  const tokens = readTokens(text);
  const files = new Map<string, string>();
  const found: FoundRequest[] = [];
  for (const [index, { kind, value }] of tokens.entries()) {
    if (kind === 'word' && value.endsWith('::WriteAllText')) {
      const [, name, , content] = tokens.slice(index + 1, index + 5);
      if (name?.kind === 'variable' && content?.kind === 'text') files.set(`$${name.value}`, content.value);
    }
    if (kind !== 'word' || !/^curl(\.exe)?$/i.test(value)) continue;
    const end = tokens.findIndex((token, at) => at > index && token.kind === 'sign' && token.value === ';');
    const words = tokens.slice(index + 1, end < 0 ? undefined : end);
    found.push(readCurl(words.map(toWord), { files }));
  }
  return found;
}

/** Reads `Invoke-WebRequest` and `Invoke-RestMethod`, as browsers copy them. */
export function powerShellRequests(text: string): FoundRequest[] {
  const tokens = readTokens(text);
  const values = assignedIn(tokens);
  return tokens.flatMap(({ kind, value }, index): FoundRequest[] => {
    if (kind !== 'word' || !INVOKE.test(value)) return [];
    return [readInvoke(tokens.slice(index + 1), values)];
  });
}

const INVOKE = /^(?:Invoke-(?:WebRequest|RestMethod)|iwr|irm)$/i;

/** Whether a text has such a call. */
export const INVOKE_REQUEST = /\bInvoke-(?:WebRequest|RestMethod)\b|\b(?:iwr|irm) -/i;

const toWord = ({ kind, value }: Token): string => (kind === 'variable' ? `$${value}` : value);

type Values = ReadonlyMap<string, readonly Token[]>;

/** The tokens that each variable is assigned, up to the end of the statement. */
function assignedIn(tokens: readonly Token[]): Values {
  const values = new Map<string, Token[]>();
  for (let at = 0; at < tokens.length; at++) {
    const [name, sign] = tokens.slice(at, at + 2);
    if (name?.kind !== 'variable' || sign?.value !== '=' || sign.kind !== 'sign') continue;
    const end = endOf(tokens, at + 2);
    values.set(name.value.toLowerCase(), tokens.slice(at + 2, end));
    at = end;
  }
  return values;
}

/** The end of the statement that has the token at `start`. */
function endOf(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    const { kind, value } = tokens[at] ?? { kind: 'text', value: '' };
    if (kind !== 'sign') continue;
    if (/[({]$/.test(value)) depth += 1;
    if (/^[)}]/.test(value)) depth -= 1;
    if (value === ';' && depth <= 0) return at;
  }
  return tokens.length;
}

function readInvoke(tokens: readonly Token[], values: Values): FoundRequest {
  const headers: (readonly [string, string])[] = [];
  let [url, method, body]: (string | undefined)[] = [];
  const end = endOf(tokens, 0);
  for (let at = 0; at < end; at++) {
    const token = tokens[at];
    const name = token?.kind === 'word' ? token.value.toLowerCase() : '';
    const [given] = tokens.slice(at + 1);
    const rest =
      given?.kind === 'variable' ? (values.get(given.value.toLowerCase()) ?? []) : tokens.slice(at + 1, end);
    if (name === '-headers') headers.push(...readTable(rest));
    if (name === '-uri') url = textIn(rest);
    if (name === '-method') method = textIn(rest);
    if (name === '-contenttype') headers.push(['content-type', textIn(rest) ?? '']);
    if (name === '-body') body = textIn(rest);
    if (url === undefined && token && /^https?:/.test(token.value)) url = token.value;
  }
  return {
    method: (method ?? (body === undefined ? 'GET' : 'POST')).toUpperCase(),
    ...(url !== undefined && { url }),
    headers,
    body: body ?? '',
    leftOut: [],
  };
}

/** The first text, also within a call such as `GetBytes("…")`. */
const textIn = (tokens: readonly Token[]): string | undefined => {
  const at = tokens.findIndex(
    ({ kind, value }) => kind === 'text' || (kind === 'word' && !/^\[|::|^\./.test(value)),
  );
  return tokens[at]?.value;
};

/** The entries of `@{ "name" = "value"; … }`. */
function readTable(tokens: readonly Token[]): (readonly [string, string])[] {
  const entries: (readonly [string, string])[] = [];
  for (let at = 0; at < tokens.length && tokens[at]?.value !== '}'; at++) {
    const [name, sign, value] = tokens.slice(at, at + 3);
    if (!name || name.kind === 'sign' || sign?.kind !== 'sign' || sign.value !== '=' || !value) continue;
    entries.push([name.value, toWord(value)]);
    at += 2;
  }
  return entries;
}

function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const unit = text.charAt(at);
    const two = text.slice(at, at + 2);
    if (unit === '#') at = lineEnd(text, at);
    else if (two === "@'" || two === '@"') at = readHere(text, at, tokens);
    else if (SINGLE.test(unit)) at = readSingle(text, at, tokens);
    else if (DOUBLE.test(unit)) at = readDouble(text, at, tokens);
    else if (unit === '`') at += /^`\r?\n/.exec(text.slice(at, at + 3))?.[0].length ?? 2;
    else if (/[\n;]/.test(unit)) at = addSign(tokens, ';', at + 1);
    else if (/\s/.test(unit)) at += 1;
    else if (two === '@{' || two === '@(') at = addSign(tokens, two, at + 2);
    else if (/[(){},=|]/.test(unit)) at = addSign(tokens, unit, at + 1);
    else at = readWord(text, at, tokens);
  }
  return tokens;
}

const SINGLE = /['\u2018-\u201b]/;
const DOUBLE = /["\u201c-\u201e]/;

function addSign(tokens: Token[], value: string, next: number): number {
  tokens.push({ kind: 'sign', value });
  return next;
}

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
};

/** A text over several lines, whose ends stand on lines of their own. */
function readHere(text: string, at: number, tokens: Token[]): number {
  const start = lineEnd(text, at) + 1;
  const end = text.indexOf(`\n${text.charAt(at + 1)}@`, start - 1);
  const stop = end < 0 ? text.length : end;
  tokens.push({ kind: 'text', value: text.slice(start, stop).replace(/\r$/, '') });
  return stop + 3;
}

function readSingle(text: string, at: number, tokens: Token[]): number {
  let value = '';
  let next = at + 1;
  for (; next < text.length; next++) {
    if (!SINGLE.test(text.charAt(next))) value += text.charAt(next);
    else if (SINGLE.test(text.charAt(next + 1))) value += text.charAt(next++);
    else break;
  }
  tokens.push({ kind: 'text', value });
  return next + 1;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0' };

function readDouble(text: string, at: number, tokens: Token[]): number {
  let value = '';
  let next = at + 1;
  for (; next < text.length; next++) {
    const unit = text.charAt(next);
    if (unit === '`') {
      const after = text.charAt(++next);
      value += ESCAPES[after] ?? after;
    } else if (!DOUBLE.test(unit)) value += unit;
    else if (DOUBLE.test(text.charAt(next + 1))) value += text.charAt(next++);
    else break;
  }
  tokens.push({ kind: 'text', value: value.replaceAll(/\$\{env:(\w+)\}|\$env:(\w+)/gi, '$$$1$2') });
  return next + 1;
}

function readWord(text: string, at: number, tokens: Token[]): number {
  // A word ends where another token begins.
  const end = /[\s"'`;(){},=|\u2018-\u201e]/g;
  end.lastIndex = at + 1;
  const stop = end.exec(text)?.index ?? text.length;
  const word = text.slice(at, stop);
  const [, variable] = /^\$(?:env:)?(\w+)$/i.exec(word) ?? [];
  tokens.push(variable === undefined ? { kind: 'word', value: word } : { kind: 'variable', value: variable });
  return stop;
}
