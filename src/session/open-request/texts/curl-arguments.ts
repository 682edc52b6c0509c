// Reads the arguments of a cURL command. Reads no file and sends nothing. Pure.
import { t } from '@vscode/l10n';
import type { FoundRequest } from '../found-request';
import { UnreadRequest } from '../found-request';

export interface CurlContext {
  /** What is piped into the command. */
  input?: string | undefined;
  /** Texts of the files that the same script writes, by the name in `@name`. */
  files?: ReadonlyMap<string, string>;
}

/** What each option that counts does; the names are those of cURL. */
const OPTIONS: Readonly<Record<string, keyof typeof TAKE>> = {
  '-X': 'method',
  '--request': 'method',
  '-H': 'header',
  '--header': 'header',
  '-d': 'data',
  '--data': 'data',
  '--data-ascii': 'data',
  '--data-binary': 'binary',
  '--data-raw': 'raw',
  '--json': 'json',
  '--url': 'url',
  '-u': 'user',
  '--user': 'user',
  '-b': 'cookie',
  '--cookie': 'cookie',
  '--oauth2-bearer': 'bearer',
  '-F': 'form',
  '--form': 'form',
  '--data-urlencode': 'form',
};

/** Options whose value says nothing of the request. */
const VALUED = new Set(
  '-o --output -m --max-time --connect-timeout --retry --retry-delay --retry-max-time -w --write-out -x --proxy --cacert --cert --key --resolve -A --user-agent -e --referer -c --cookie-jar --limit-rate -T --upload-file -K --config --interface -D --dump-header --stderr --trace --trace-ascii --max-redirs --ciphers --tls-max --unix-socket -U --proxy-user --noproxy -r --range'.split(
    ' ',
  ),
);

interface CurlDraft {
  method?: string;
  urls: string[];
  headers: (readonly [string, string])[];
  data: string[];
  isJson: boolean;
}

const TAKE = {
  method: (draft: CurlDraft, value: string) => void (draft.method = value),
  url: (draft: CurlDraft, value: string) => void draft.urls.push(value),
  header: (draft: CurlDraft, value: string, context: CurlContext) => {
    const lines = value.startsWith('@') ? fileOf(value.slice(1), context).split('\n') : [value];
    draft.headers.push(...lines.flatMap(toHeader));
  },
  raw: (draft: CurlDraft, value: string) => void draft.data.push(value),
  data: (draft: CurlDraft, value: string, context: CurlContext) =>
    void draft.data.push(value.startsWith('@') ? fileOf(value.slice(1), context) : value),
  binary: (draft: CurlDraft, value: string, context: CurlContext) => TAKE.data(draft, value, context),
  json: (draft: CurlDraft, value: string, context: CurlContext) => {
    draft.isJson = true;
    TAKE.data(draft, value, context);
  },
  user: (draft: CurlDraft, value: string) =>
    void draft.headers.push(['authorization', `Basic ${toBase64(value)}`]),
  bearer: (draft: CurlDraft, value: string) => void draft.headers.push(toBearer(value)),
  cookie: (draft: CurlDraft, value: string) => void draft.headers.push(['cookie', value]),
  form: () => {
    throw new UnreadRequest(
      t('The command sends a form, and a chat request is JSON.'),
      t('Copy the command of the request to the model.'),
    );
  },
};

/** @param words Those after the name of the program. @throws UnreadRequest */
export function readCurl(words: readonly string[], context: CurlContext = {}): FoundRequest {
  const draft: CurlDraft = { urls: [], headers: [], data: [], isJson: false };
  for (let at = 0; at < words.length; at++) {
    const { option, value } = splitOption(words[at] ?? '');
    const take = Object.hasOwn(OPTIONS, option) ? OPTIONS[option] : undefined;
    if (!take && !VALUED.has(option)) {
      if (!option.startsWith('-')) draft.urls.push(option);
      continue;
    }
    const given = value ?? words[++at];
    if (take && given !== undefined) TAKE[take](draft, given, context);
  }
  const [url] = draft.urls;
  const { method = draft.data.length > 0 ? 'POST' : 'GET', headers } = draft;
  return {
    method,
    ...(url !== undefined && { url: /^[a-z]+:\/\//i.test(url) ? url : `http://${url}` }),
    headers,
    body: draft.data.join(draft.isJson ? '' : '&'),
    leftOut: [],
  };
}

/** The header in which most services take a key. */
export const toBearer = (key: string): readonly [string, string] => ['authorization', `Bearer ${key}`];

/** A short option may have its value behind it, and several without a value may stand together. */
function splitOption(word: string): { option: string; value?: string } {
  if (!/^-[^-]/.test(word)) return { option: word };
  for (let at = 1; at < word.length; at++) {
    const option = `-${word.charAt(at)}`;
    if (!Object.hasOwn(OPTIONS, option) && !VALUED.has(option)) continue;
    return at + 1 < word.length ? { option, value: word.slice(at + 1) } : { option };
  }
  return { option: '-' };
}

/** `name;` is a header without a value, `name:` removes one of cURL's own. */
function toHeader(line: string): (readonly [string, string])[] {
  const end = line.indexOf(':');
  if (end < 0) return /;\s*$/.test(line) ? [[line.replace(/;\s*$/, '').trim(), '']] : [];
  const value = line.slice(end + 1).trim();
  return value === '' ? [] : [[line.slice(0, end).trim(), value]];
}

/** @throws UnreadRequest */
function fileOf(name: string, { files, input }: CurlContext): string {
  const text = name === '-' ? input : files?.get(name);
  if (text !== undefined) return text;
  throw new UnreadRequest(
    t('The command reads its body from a file or from another program, which is not part of it.'),
    t('Open that file instead, or paste the body into the command.'),
  );
}

/** The header has ASCII; other characters of a password would be encoded as UTF-8. */
const toBase64 = (text: string): string =>
  btoa(String.fromCodePoint(...new TextEncoder().encode(text.slice(0, 2_000))));
