// Reads a found request in its protocol: what becomes the playground, the keys in it, and what is left out. Pure. A key leaves
// this file only in `secrets`.
import { t } from '@vscode/l10n';
import type { CatalogEntry } from '../../library';
import { createRedactor, isRecord } from '../../library';
import { maskSecrets } from '../../protocol';
import { findProtocol } from '../../inspect';
import type { FormNote, NeutralRequest } from '../../types';
import { playgroundText } from '../document/playground-text';
import { parseDocument } from '../document/parse-document';
import { describeNotes } from './describe-notes';
import { withoutReasoning } from './without-reasoning';
import type { FoundReply, FoundRequest } from './found-request';
import { UnreadRequest } from './found-request';
import { maskAsked, takeSecrets } from './take-secrets';
import type { FoundKey } from './take-secrets';

export interface OpenedRequest {
  /** The protocol of the request. */
  entry: CatalogEntry;
  /** Base address for a connection; absent where the source names no server. Without a key. */
  host?: string | undefined;
  /** Further headers that a connection may send, without secrets. */
  headers: Readonly<Record<string, string>>;
  key?: FoundKey | undefined;
  /** Whether the request has a key, or a place for one. */
  sendsKey: boolean;
  neutral: NeutralRequest;
  /** The body as JSON, with secrets masked; '' where the source has code for our own library. */
  body: string;
  reply?: FoundReply | undefined;
  /** Each a phrase for people. */
  leftOut: string[];
}

/** @throws UnreadRequest */
export function openRequest(found: FoundRequest, catalog: readonly CatalogEntry[]): OpenedRequest {
  const entry = protocolOf(found, catalog);
  const secrets = takeSecrets(found, entry);
  const { key, url, headers, leftOut } = secrets;
  const redactor = createRedactor(secrets.values);
  const body = redactor.text(found.body);
  const notes: FormNote[] = [];
  const read = found.neutral
    ? { ...redactor.value(found.neutral), isStreamed: false }
    : entry.readRequest({ body: parseBody(body), isStreaming: true, notes });
  const unreasoned = withoutReasoning(read.raw, entry, { messages: read.messages, notes });
  const masked = maskAsked({ ...read, raw: unreasoned.raw });
  const isMasked = body !== found.body || masked.isMasked;
  return {
    entry,
    host: url === undefined ? undefined : hostOf(url, entry, found.neutral !== undefined),
    headers,
    key,
    sendsKey: secrets.sendsKey,
    neutral: masked.asked,
    body: maskSecrets(body),
    ...(found.reply && { reply: { ...found.reply, body: redactor.text(found.reply.body) } }),
    leftOut: distinct([
      ...found.leftOut,
      ...leftOut,
      ...masked.removed.map((path) => t('{0}, a secret', path)),
      ...(isMasked ? [t('secrets in the body, which are masked with *')] : []),
      ...describeNotes(notes),
      ...unreasoned.leftOut,
      ...leftOutOf(masked.asked),
    ]),
  };
}

const distinct = (phrases: readonly string[]): string[] => [...new Set(phrases)];

/** @throws UnreadRequest when the document would not be valid */
export function openedText({ neutral }: OpenedRequest, connection: string): string {
  const { model } = neutral;
  const text = playgroundText(neutral, { connection, model });
  const { error } = parseDocument(text);
  if (!error) return text;
  throw new UnreadRequest(
    t('The request does not fit a playground: {0}', error.message),
    t('Shorten the request, and open it again.'),
  );
}

/** By the path of its URL; otherwise by what only one protocol has. @throws UnreadRequest */
function protocolOf(found: FoundRequest, catalog: readonly CatalogEntry[]): CatalogEntry {
  const { url = '', neutral, body } = found;
  const [, other] = OTHER_PATH.exec(pathOf(url)) ?? [];
  if (other !== undefined) throw noChat(other);
  if (neutral) {
    const entry = catalog.find(({ providerClass }) => providerClass.name === neutral.providerClass);
    if (entry) return entry;
    throw noProtocol();
  }
  const json = parseBody(body);
  const byUrl = findProtocol(catalog, { url: pathOf(url) });
  if (byUrl) return byUrl;
  const own = catalog.find(({ isOwnBody }) => isOwnBody?.(json));
  const usual = Array.isArray(json['messages']) ? catalog.find(({ isUsual }) => isUsual) : undefined;
  const entry = own ?? usual;
  if (!entry) throw noProtocol();
  return entry;
}

/** Services take an `input` or messages there, too, but answer with something else than a message. */
const OTHER_PATH =
  /\/(embeddings|embed|moderations|rerank|speech|generations|edits|transcriptions|translations|tokenize)$/;

/** Without the query, and of a request that counts tokens that of the chat whose tokens it counts. */
const pathOf = (url: string): string => url.replace(/[?#].*$/s, '').replace(/(?:\/count_tokens)?\/*$/, '');

const noProtocol = (): UnreadRequest =>
  new UnreadRequest(
    t('The request is no chat in a protocol that is known here: its body has no messages and no input.'),
    chatPaths(),
  );

const noChat = (path: string): UnreadRequest =>
  new UnreadRequest(t('The request is no chat: it goes to /{0}.', path), chatPaths());

const chatPaths = (): string =>
  t('Open a request to /chat/completions, /responses, /v1/messages or /api/chat.');

/** @throws UnreadRequest */
function parseBody(body: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    value = undefined;
  }
  if (isRecord(value)) return value;
  throw new UnreadRequest(
    t('The body of the request is no JSON object.'),
    t('Check that it was copied whole, without changed quotes, and try again.'),
  );
}

/** The address without the path of the protocol; a query, such as a version of the API, stays at its end. */
export function hostOf(
  url: string,
  { chatPath, address }: CatalogEntry,
  isHost: boolean,
): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname, search, protocol } = new URL(url);
  if (!/^https?:$/.test(protocol)) return undefined;
  const path = pathOf(pathname);
  // Some logs name the base address alone.
  const isBase = isHost || (address.basePath !== '' && path.endsWith(address.basePath));
  if (!isBase && !path.endsWith(chatPath)) return `${origin}${address.basePath}`;
  const base = isBase ? path : path.slice(0, -chatPath.length);
  // Where the usual address has no version, its requests add the first one themselves.
  return `${origin}${address.basePath === '' ? base.replace(/\/v1$/, '') : base}${search}`;
}

function leftOutOf({ messages }: NeutralRequest): string[] {
  const hasReasoning = messages.some(({ reasoning, replay }) => reasoning !== undefined || replay);
  const hasExtra = messages.some(({ toolCalls = [] }) => toolCalls.some(({ extraContent }) => extraContent));
  return [
    ...(hasReasoning ? [t('the reasoning in earlier replies')] : []),
    ...(hasExtra ? [t('what the service had added to its calls')] : []),
  ];
}
