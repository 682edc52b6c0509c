// Reads code that sends a request: fetch and Python, the clients of services, and our own library. Executes nothing.
import { t } from '@vscode/l10n';
import { isRecord } from '../../../library';
import type { Message, NeutralRequest } from '../../../types';
import type { FoundRequest, RequestSource, SourceText } from '../found-request';
import { UnreadRequest } from '../found-request';
import { toBearer } from '../texts/curl-arguments';
import { INVOKE_REQUEST, powerShellRequests } from '../texts/powershell-text';
import type { CallArguments } from '../texts/script-values';
import type { Assignments } from '../texts/script-assignments';
import { readAssignments } from '../texts/script-assignments';
import { readArguments } from '../texts/script-values';
import { headerEntries, isBody, listNames } from './json-source';
import { withReplies } from './log-source';

type Members = Record<string, unknown>;

/** What is known of a call: its arguments, and those of the constructor of its client. */
interface Call extends CallArguments {
  /** The object that is given alone, or the named arguments. */
  options: Members;
  client: Members;
  method: string;
}

/** A call that sends a request. The group `method` is the name of a method of HTTP, where the call has it. */
interface KnownCall {
  call: RegExp;
  /** The constructor of its client. */
  client?: RegExp;
  read: (call: Call) => Omit<FoundRequest, 'leftOut'> | undefined;
}

const CLIENT_OPTIONS = new Set([
  'extra_body',
  'extra_headers',
  'extra_query',
  'timeout',
  'extraBody',
  'api_key',
  'api_base',
  'base_url',
]);

/** The call of a client whose arguments are the body. @param path Path of its requests. */
const ofClient = (path: string, call: RegExp, client: RegExp): KnownCall => ({
  call,
  client,
  read: ({ options, client: given }) => {
    const body = Object.entries(options).filter(([key]) => !CLIENT_OPTIONS.has(key));
    const merged = { ...Object.fromEntries(body), ...toRecord(options['extra_body']) };
    if (!isBody({ model: '', ...merged })) return undefined;
    const base = [
      given['baseURL'],
      given['base_url'],
      given['host'],
      options['api_base'],
      options['base_url'],
    ].find((value) => typeof value === 'string');
    const query = new URLSearchParams(
      Object.fromEntries(headerEntries(given['defaultQuery'] ?? given['default_query'])),
    ).toString();
    const key = [given['apiKey'], given['api_key'], options['api_key']].find(
      (value) => typeof value === 'string',
    );
    return {
      method: 'POST',
      url: `${typeof base === 'string' ? base.replace(/\/+$/, '') : ''}${path}${query === '' ? '' : `?${query}`}`,
      headers: [
        ...(typeof key === 'string' && key !== 'none' ? [toBearer(key)] : []),
        ...[
          given['defaultHeaders'],
          given['default_headers'],
          given['headers'],
          options['extra_headers'],
        ].flatMap(headerEntries),
      ],
      body: JSON.stringify(merged),
    };
  },
});

const CALLS: readonly KnownCall[] = [
  {
    call: /\bfetch\s*\(/g,
    read: ({ positional: [url, options] }) => {
      const { method, headers, body } = toRecord(options);
      return toHttp(url, body, { method, headers });
    },
  },
  {
    call: /\b(?:httpx|requests|session|client|s)\.request\s*\(/g,
    read: ({ positional, named }) => {
      const [method, url] = positional;
      return toHttp(named['url'] ?? url, bodyIn(named), {
        method: named['method'] ?? method,
        headers: named['headers'],
      });
    },
  },
  {
    call: /\b(?:httpx|requests|session|client|s|http)\.(?:post|put)\s*\(/g,
    read: ({ positional: [url, data], named }) =>
      toHttp(named['url'] ?? url, bodyIn(named) ?? data, { headers: named['headers'] }),
  },
  {
    call: /\baxios(?:\.post)?\s*\(/g,
    read: ({ positional: [url, data, options] }) =>
      isRecord(url)
        ? toHttp(url['url'], url['data'], url)
        : toHttp(url, data, { headers: toRecord(options)['headers'] }),
  },
  ofClient(
    '/chat/completions',
    /\.chat\.completions\.(?:create|parse|stream)\s*\(|\blitellm\.a?completion\s*\(/g,
    /\b(?:Async)?OpenAI\s*\(/,
  ),
  ofClient('/responses', /\.responses\.(?:create|parse|stream)\s*\(/g, /\b(?:Async)?OpenAI\s*\(/),
  ofClient('/v1/messages', /\.messages\.(?:create|stream)\s*\(/g, /\b(?:Async)?Anthropic\s*\(/),
  {
    call: /\b\w*provider\.chat\s*\(/gi,
    client: /\bnew (\w+Provider)\s*\(/,
    read: toNeutral,
  },
  ofClient(
    '/api/chat',
    /\b(?:ollama|client)\.chat\s*\(/g,
    /\b(?:new Ollama|ollama\.Client|(?:Async)?Client)\s*\(/,
  ),
];

export const SCRIPT_SOURCE: RequestSource = {
  id: 'script',
  title: () => t('Code'),
  reads: ({ text, json }) => {
    if (json !== undefined) return 0;
    return INVOKE_REQUEST.test(text) || CALLS.some(({ call }) => text.search(call) >= 0) ? 2 : 0;
  },
  read: readScript,
};

/** In one text; further calls are not looked for. */
const MAX_CALLS = 100;

function readScript({ text }: SourceText): FoundRequest[] {
  if (INVOKE_REQUEST.test(text)) return readPowerShell(text);
  const assigned = readAssignments(text);
  const found: FoundRequest[] = [];
  for (const { call, client, read } of CALLS) {
    if (found.length > 0) break;
    for (const { 0: all, index } of [...text.matchAll(call)].slice(0, MAX_CALLS)) {
      const names = new Set<string>();
      const given = readArguments(text, index + all.length, { ...assigned, unread: names });
      if (!given) continue;
      const own = client ? readClient(text, client, assigned) : {};
      const [first] = given.positional;
      const options = { ...(given.positional.length === 1 ? toRecord(first) : {}), ...given.named };
      const request = read({ ...given, options, client: own, method: 'POST' });
      if (!request) continue;
      const left = [...names].map((name) => name.slice(0, 60));
      found.push({
        ...request,
        leftOut: left.length > 0 ? [t('what is no literal in the code: {0}', listNames(left))] : [],
      });
    }
  }
  if (found.length > 0) return withReplies(found, text);
  throw unreadCode();
}

const unreadCode = (): UnreadRequest =>
  new UnreadRequest(
    t('The code builds its request in a way that cannot be read without running it.'),
    t('Print the body that it sends as JSON, and open that.'),
  );

function readPowerShell(text: string): FoundRequest[] {
  const found = powerShellRequests(text).filter(({ body }) => body !== '');
  if (found.length > 0) return withReplies(found, text);
  throw unreadCode();
}

/** The class of the client stands beside its options, as `class`. */
function readClient(text: string, client: RegExp, assigned: Assignments): Members {
  const made = client.exec(text);
  const given = made && readArguments(text, made.index + made[0].length, { ...assigned, unread: new Set() });
  const [options] = given?.positional ?? [];
  return { ...toRecord(options), ...given?.named, ...(made?.[1] !== undefined && { class: made[1] }) };
}

function bodyIn({ json, data, content, body }: Members): unknown {
  return json === undefined ? (data ?? content ?? body) : json;
}

function toHttp(
  url: unknown,
  body: unknown,
  { method, headers }: Members,
): Omit<FoundRequest, 'leftOut'> | undefined {
  const text = typeof body === 'string' ? body : isRecord(body) ? JSON.stringify(body) : undefined;
  if (typeof url !== 'string' || text === undefined || text.trim() === '') return undefined;
  return {
    method: typeof method === 'string' ? method.toUpperCase() : 'POST',
    url,
    headers: headerEntries(headers),
    body: text,
  };
}

/** What our own library is given is the neutral request itself. */
function toNeutral({ options, client }: Call): Omit<FoundRequest, 'leftOut'> | undefined {
  const { messages, tools = [], sampling = {}, toolChoice } = options;
  const { host, model, apiKey, headers, raw = {}, class: providerClass } = client;
  if (!Array.isArray(messages) || !isRecord(raw) || !isRecord(sampling) || !Array.isArray(tools))
    return undefined;
  if (typeof providerClass !== 'string' || typeof model !== 'string') return undefined;
  return {
    ...(typeof host === 'string' && { url: host }),
    headers: [
      ...(typeof apiKey === 'string' && apiKey !== '' ? [toBearer(apiKey)] : []),
      ...headerEntries(headers),
    ],
    body: '',
    neutral: {
      providerClass,
      model,
      messages: messages as Message[],
      tools: tools as NeutralRequest['tools'],
      sampling,
      ...(toolChoice !== undefined && {
        toolChoice: toolChoice as NonNullable<NeutralRequest['toolChoice']>,
      }),
      raw,
    },
  };
}

const toRecord = (value: unknown): Members => (isRecord(value) ? value : {});
