// Reads the tokens of PowerShell, as far as copied commands use it, and the requests in them. Executes nothing: a variable
// stays as it is written. Pure and linear.
import { isRecord } from '../../../library';
import type { FoundRequest } from '../found-request';
import { headerEntries } from '../sources/json-source';
import { readCurl } from './curl-arguments';
import { isCast, readPowerShellValue } from './powershell-value';
import type { Token, Values } from './powershell-value';

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
  const starts = tokens.flatMap(({ kind, value }, at) =>
    kind === 'word' && INVOKE.test(value) ? [at + 1] : [],
  );
  return starts.map((start, at) => readInvoke(tokens.slice(start, starts[at + 1]), values));
}

const INVOKE = /^(?:Invoke-(?:WebRequest|RestMethod)|iwr|irm)$/i;

/** Whether a text has such a call. */
export const INVOKE_REQUEST =
  /\bInvoke-(?:WebRequest|RestMethod)\b|\b(?:iwr|irm)[ \t]+(?:-|@\w|["'$]|https?:)/i;

const toWord = ({ kind, value }: Token): string => (kind === 'variable' ? `$${value}` : value);

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

interface InvokeDraft {
  url?: string | undefined;
  method?: string | undefined;
  body?: string | undefined;
  headers: (readonly [string, string])[];
}

function readInvoke(tokens: readonly Token[], values: Values): FoundRequest {
  const draft: InvokeDraft = { headers: [] };
  const own = tokens.slice(0, endOf(tokens, 0));
  const taken = new Set<string>();
  for (const [at, { kind, value }] of own.entries()) {
    const name = kind === 'word' ? value.toLowerCase() : '';
    if (/^@\w+$/.test(name)) takeTable(draft, name.slice(1), values);
    if (PARAMETERS.has(name) && !taken.has(name)) take(draft, name, argumentAt(own, at + 1), values);
    taken.add(name);
    if (draft.url === undefined && /^https?:/.test(value)) draft.url = value;
  }
  const { url, body, method = body === undefined ? 'GET' : 'POST', headers } = draft;
  return {
    method: method.toUpperCase(),
    ...(url !== undefined && { url }),
    headers,
    body: body ?? '',
    leftOut: [],
  };
}

const PARAMETERS = new Set(['-headers', '-uri', '-method', '-contenttype', '-body']);

function take(draft: InvokeDraft, name: string, argument: readonly Token[], values: Values): void {
  const [first] = argument;
  const variable = first?.kind === 'variable' ? values.get(first.value.toLowerCase()) : undefined;
  const given = variable ?? argument;
  if (name === '-headers') draft.headers.push(...readTable(given));
  if (name === '-uri') draft.url = textIn(given);
  if (name === '-method') draft.method = textIn(given);
  if (name === '-contenttype') draft.headers.push(['content-type', textIn(given) ?? '']);
  if (name === '-body') draft.body = bodyIn(given, values);
}

/** The parameters in one table, as in `Invoke-RestMethod @parameters`. */
function takeTable(draft: InvokeDraft, variable: string, values: Values): void {
  const table = readPowerShellValue(values.get(variable) ?? [], values);
  for (const [name, value] of Object.entries(isRecord(table) ? table : {})) {
    const key = name.toLowerCase();
    if (key === 'uri' && typeof value === 'string') draft.url = value;
    if (key === 'method' && typeof value === 'string') draft.method = value;
    if (key === 'headers') draft.headers.push(...headerEntries(value));
    if (key === 'body') draft.body = typeof value === 'string' ? value : JSON.stringify(value);
  }
}

/** What a parameter is given: one token, or all up to the end of its bracket. */
function argumentAt(tokens: readonly Token[], start: number): readonly Token[] {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    const { kind, value } = tokens[at] ?? { kind: 'text', value: '' };
    if (kind === 'sign' && /[({]$/.test(value)) depth += 1;
    if (kind === 'sign' && /^[)}]/.test(value)) depth -= 1;
    const isOpen = depth > 0 || (kind === 'word' && isCast(value)) || tokens[at + 1]?.value === '(';
    if (!isOpen) return tokens.slice(start, at + 1);
  }
  return tokens.slice(start);
}

/** `ConvertTo-Json` writes a table as JSON; a text may stand within a call such as `GetBytes("…")`. */
function bodyIn(given: readonly Token[], values: Values): string | undefined {
  const value = readPowerShellValue(given, values);
  if (isRecord(value)) return JSON.stringify(value);
  const text = textIn(given);
  if (text !== undefined) return text;
  const variable = given.find(({ kind }) => kind === 'variable')?.value.toLowerCase() ?? '';
  const assigned = readPowerShellValue(values.get(variable) ?? [], values);
  if (isRecord(assigned)) return JSON.stringify(assigned);
  return typeof assigned === 'string' ? assigned : undefined;
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
  const [cast] = /^\[[\w.[\]]{1,100}\](?=@[{(])/.exec(text.slice(at, at + 110)) ?? [];
  const stop = cast ? at + cast.length : (end.exec(text)?.index ?? text.length);
  const word = text.slice(at, stop);
  const [, variable] = /^\$(?:env:)?(\w+)$/i.exec(word) ?? [];
  tokens.push(variable === undefined ? { kind: 'word', value: word } : { kind: 'variable', value: variable });
  return stop;
}
