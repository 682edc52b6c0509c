// Reads JSON: the body of a request, alone or within another value, with the reply beside it.
import { t } from '@vscode/l10n';
import { isRecord } from '../../../library';
import type { FoundReply, FoundRequest, RequestSource } from '../found-request';

export const JSON_SOURCE: RequestSource = {
  id: 'json',
  title: () => t('JSON'),
  reads: ({ json }) => (findBodies(json).length > 0 ? 2 : 0),
  read: ({ json }) => findBodies(json),
};

/** How deep a body may stand in another value. */
const MAX_DEPTH = 4;
/** How many requests one value may give. */
const MAX_FOUND = 1_000;

/** Members under which programs store the body of a request, and the reply beside it. */
const BODIES = [
  'body',
  'request',
  'requestBody',
  'request_body',
  'requestBodyValues',
  'json_data',
  'json',
  'payload',
  'params',
  'kwargs',
  'input',
  'data',
  'complete_input_dict',
];
const REPLIES = ['response', 'responseBody', 'response_body', 'reply', 'output', 'result'];

/** The requests in any value. */
export function findBodies(value: unknown): FoundRequest[] {
  const found: FoundRequest[] = [];
  collect(value, found, 0);
  return found;
}

function collect(value: unknown, found: FoundRequest[], depth: number): void {
  if (depth > MAX_DEPTH || found.length >= MAX_FOUND) return;
  if (isConversation(value)) found.push(toFound({ messages: value }));
  else if (Array.isArray(value)) for (const one of value) collect(one, found, depth + 1);
  else if (typeof value === 'string') collect(parse(value), found, depth + 1);
  else if (isRecord(value)) {
    if (isBody(value)) found.push(toFound(value));
    else collectWithin(value, found, depth);
  }
}

function collectWithin(value: Record<string, unknown>, found: FoundRequest[], depth: number): void {
  let key: string | undefined;
  const inner: FoundRequest[] = [];
  for (const name of BODIES) {
    if (inner.length > 0) break;
    key = name;
    collect(value[name], inner, depth + 1);
  }
  const [one] = inner;
  const replyKey = REPLIES.find((name) => value[name] !== undefined && value[name] !== null);
  const reply = replyKey === undefined ? undefined : toReply(value[replyKey], value);
  if (inner.length > 1 || !one || key === undefined) return void found.push(...inner);
  const { method, url, headers } = value;
  const used = [
    key,
    ...(reply && replyKey !== undefined ? [replyKey] : []),
    'method',
    'url',
    'headers',
    'status',
    'statusCode',
    'status_code',
  ];
  const others = Object.keys(value).filter((name) => !used.includes(name));
  found.push({
    ...one,
    ...(typeof method === 'string' && { method: method.toUpperCase() }),
    ...(typeof url === 'string' && { url }),
    headers: [...one.headers, ...headerEntries(headers)],
    ...(reply && !one.reply && { reply }),
    leftOut: [
      ...one.leftOut,
      ...(others.length > 0 ? [t('beside the request: {0}', listNames(others))] : []),
    ],
  });
}

/** At most some names, each bounded, since they come from outside. */
export const listNames = (names: readonly string[], most = 12): string =>
  [...names.slice(0, most).map((name) => name.slice(0, 60)), ...(names.length > most ? ['…'] : [])].join(
    ', ',
  );

export const headerEntries = (headers: unknown): (readonly [string, string])[] =>
  isRecord(headers)
    ? Object.entries(headers).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value] as const] : [],
      )
    : [];

/** What is answered over HTTP is a record with an error or a list of choices; anything else is no reply. */
function toReply(value: unknown, members: Record<string, unknown>): FoundReply | undefined {
  const status = members['status'] ?? members['statusCode'] ?? members['status_code'];
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  const json = typeof value === 'string' ? parse(value) : value;
  const isStream = typeof value === 'string' && /^(?:data|event):/m.test(value.slice(0, 2_000));
  if (!isStream && !(isRecord(json) && REPLY_KEYS.some((key) => json[key] !== undefined))) return undefined;
  return {
    status: typeof status === 'number' ? status : isRecord(json) && json['error'] ? 400 : 200,
    headers: { 'content-type': isStream ? 'text/event-stream' : 'application/json' },
    body,
  };
}

const REPLY_KEYS = ['choices', 'output', 'content', 'message', 'error', 'detail'];

const toFound = (body: unknown): FoundRequest => ({ headers: [], body: JSON.stringify(body), leftOut: [] });

const ROLES: readonly unknown[] = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];

export const isConversation = (value: unknown): value is unknown[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(
    (one) => isRecord(one) && ROLES.includes(one['role']) && ('content' in one || 'tool_calls' in one),
  );

/** A conversation, or what stands for one in the Responses API. */
export const isBody = (value: Record<string, unknown>): boolean => {
  const { messages, input, model } = value;
  return (
    (Array.isArray(messages) && messages.every((one) => isRecord(one) && typeof one['role'] === 'string')) ||
    (typeof model === 'string' &&
      (typeof input === 'string' || (Array.isArray(input) && input.length > 0 && input.every(isRecord))))
  );
};

function parse(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
