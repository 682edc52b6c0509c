// Reads the lines of a log: looks in any text for the JSON, or the Python, of a request, and for the reply behind it.
import { t } from '@vscode/l10n';
import { isRecord } from '../../../library';
import type { FoundReply, FoundRequest, RequestSource } from '../found-request';
import { UnreadRequest } from '../found-request';
import type { ReplyAt } from '../texts/replies';
import { replyAt } from '../texts/replies';
import { readValue } from '../texts/script-values';
import { isFrameworkMessages, toFound } from '../chat-messages';
import { findBodies, isConversation } from './json-source';
import { readLangChainLog } from './langsmith-source';

export const LOG_SOURCE: RequestSource = {
  id: 'log',
  title: () => t('Log'),
  reads: ({ text, json }) => (json === undefined && text.search(START) >= 0 ? 1 : 0),
  read: ({ text }) => {
    const { requests, reply } = scanText(text);
    if (requests.length > 0) return requests;
    throw reply ? replyAlone() : unreadText();
  },
};

const unreadText = (): UnreadRequest =>
  new UnreadRequest(
    t('The text has no request to a model: no messages and no input in JSON.'),
    t('Copy the JSON that was sent, from its first brace to its last.'),
  );

export const replyAlone = (): UnreadRequest =>
  new UnreadRequest(
    t('The text is the reply of a model, without its request.'),
    t('Copy the request together with the reply, or open the text of the reply in the Format Lab.'),
  );

/** How much longer than the text what is read in it may be: a brace that is never closed is read up to the end. */
const MAX_READ = 4;

/** An object or a list, JSON within a text, or an object as Python prints it. */
const START =
  /[{[]\s*(?:["'{]|\w{1,60}\s*[:(])|"(?=\s*[{[]\s*[{\\])|(?<![\w.])[A-Z]\w{2,60}\((?=\w{1,60}=[^=])/g;

interface Scanned {
  requests: FoundRequest[];
  /** The first reply before any request. */
  reply: FoundReply | undefined;
}

/** Finds the requests in any text, each with the reply behind it. */
export function scanText(text: string): Scanned {
  const scanned: Scanned = { requests: [], reply: undefined };
  let read = 0;
  let before = 0;
  const start = new RegExp(START);
  for (let match = start.exec(text); match && read < MAX_READ * text.length; match = start.exec(text)) {
    const { index } = match;
    const value = readValue(text, index, { variables: new Map(), unread: new Set(), readsObjects: true });
    read += value ? value.end - index : text.length - index;
    if (!value) {
      start.lastIndex = index + 1;
      continue;
    }
    const found = findSaid(value.value).map((one) => complete(one, text, index, value.value));
    const answered = found.length > 0 ? undefined : findReply(text, before, { ...value, start: index });
    scanned.requests.push(...found);
    if (answered) addReply(scanned, answered.reply);
    start.lastIndex = Math.max(answered?.end ?? value.end, index + 1);
    if (found.length > 0 || answered) before = start.lastIndex;
  }
  return scanned;
}

/** Bodies of requests, or the messages of LangChain as it prints them. */
function findSaid(value: unknown): FoundRequest[] {
  const logged = isRecord(value) && 'prompts' in value ? readLangChainLog(value) : undefined;
  if (logged) return [logged];
  return isFrameworkMessages(value) ? [toFound({ messages: value, body: {} })] : findBodies(value);
}

function findReply(
  text: string,
  from: number,
  found: { start: number; end: number; value: unknown },
): ReplyAt | undefined {
  const { value, end } = found;
  const logged = isRecord(value) && 'generations' in value ? readLangChainLog(value)?.reply : undefined;
  return logged ? { reply: logged, end } : replyAt(text, from, found);
}

/** What a server answered stands behind what it was asked. */
function addReply(scanned: Scanned, reply: FoundReply): void {
  const last = scanned.requests.at(-1);
  if (!last) scanned.reply ??= reply;
  else last.reply ??= reply;
}

/** Adds the address before it, and says it where the text has the messages alone. */
function complete(found: FoundRequest, text: string, at: number, value: unknown): FoundRequest {
  const url = found.url ?? urlBefore(text, at);
  const leftOut =
    isConversation(value) || isFrameworkMessages(value) ? [...found.leftOut, onlyMessages()] : found.leftOut;
  return { ...found, ...(url !== undefined && { url }), leftOut };
}

const onlyMessages = (): string => t('everything but the messages: the text has no whole request');

/** The address shortly before, as in `POST https://…`. */
function urlBefore(text: string, at: number): string | undefined {
  const before = text.slice(Math.max(0, at - 300), at);
  return before.match(/https?:\/\/[^\s"'`<>\\]{1,200}/g)?.at(-1);
}

/** Adds the replies that the same text has behind its requests. */
export function withReplies(requests: FoundRequest[], text: string): FoundRequest[] {
  const scanned = scanText(text);
  const replies = scanned.requests.map(({ reply }) => reply);
  const [alone = scanned.reply] = replies.filter(Boolean);
  if (requests.length !== 1 && requests.length !== replies.length) return requests;
  return requests.map((request, at) => {
    const reply = request.reply ?? (requests.length === 1 ? alone : replies[at]);
    return reply ? { ...request, reply } : request;
  });
}
