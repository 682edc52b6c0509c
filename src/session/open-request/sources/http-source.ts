// Reads a request as it is on the wire or in a `.http` file, with the reply below it.
import { t } from '@vscode/l10n';
import type { FoundReply, FoundRequest, RequestSource, SourceText } from '../found-request';
import { UnreadRequest } from '../found-request';

const REQUEST_LINE = /^(?:> )?(GET|POST|PUT|PATCH) (\S{1,8000})(?: HTTP\/[\d.]+)?[ \t]*$/;
const STATUS_LINE = /^(?:< )?HTTP\/[\d.]+ (\d{3})\b.*$/;
const HEADER = /^([\w-]{1,200}):[ \t]*(.*)$/;

export const HTTP_SOURCE: RequestSource = {
  id: 'http',
  title: () => t('HTTP request'),
  reads: ({ text }) =>
    /^(?:> )?(?:POST|PUT|PATCH) \S{1,8000}(?: HTTP\/[\d.]+)?[ \t]*\r?$/m.test(text) ? 3 : 0,
  read: readMessages,
};

interface HttpMessage {
  first: RegExpExecArray;
  isReply: boolean;
  headers: [string, string][];
  lines: string[];
}

function readMessages({ text }: SourceText): FoundRequest[] {
  const found: FoundRequest[] = [];
  for (const message of splitMessages(text)) {
    const last = found.at(-1);
    if (!message.isReply) found.push(toRequest(message));
    else if (last && !last.reply) last.reply = toReply(message);
  }
  const withBody = found.filter(({ body }) => body !== '');
  if (withBody.length > 0) return withBody;
  throw new UnreadRequest(
    t('The HTTP request has no body, so it is no request to a model.'),
    t('Copy the whole request: its first line, its headers, an empty line and its body.'),
  );
}

function splitMessages(text: string): HttpMessage[] {
  const messages: HttpMessage[] = [];
  let current: HttpMessage | undefined;
  let isInHead = false;
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const request = REQUEST_LINE.exec(line);
    const first = request ?? STATUS_LINE.exec(line);
    if (first) {
      messages.push((current = { first, isReply: !request, headers: [], lines: [] }));
      isInHead = true;
    } else if (!current || line.startsWith('###')) current = undefined;
    else if (!isInHead) current.lines.push(line);
    else {
      const [, name, value] = HEADER.exec(line.replace(/^[<>] /, '')) ?? [];
      if (name !== undefined && value !== undefined) current.headers.push([name, value.trim()]);
      else if (!/^\s*(?:#|\/\/)/.test(line)) isInHead = false;
      // Without the empty line, the body begins at once.
      if (!isInHead && !/^[<>]?\s*$/.test(line)) current.lines.push(line);
    }
  }
  return messages;
}

function toRequest({ first, headers, lines }: HttpMessage): FoundRequest {
  const [, method = 'POST', target = ''] = first;
  const host = headerOf(headers, 'host');
  const url =
    /^https?:/i.test(target) || host === undefined ? target : `${schemeFor(host)}://${host}${target}`;
  return { method, url, headers, body: bodyOf(headers, lines), leftOut: [] };
}

function toReply({ first, headers, lines }: HttpMessage): FoundReply {
  const fields = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  return { status: Number(first[1]), headers: fields, body: bodyOf(headers, lines) };
}

/** The request itself does not say it. A server on this machine, at a bare address or at a port usually has no certificate. */
const schemeFor = (host: string): string =>
  /^(?:localhost|[\d.]+|\[[\da-f:]+\]|[\w-]+|.*:(?!443$)\d+)(?::\d+)?$/i.test(host) ? 'http' : 'https';

const headerOf = (headers: readonly [string, string][], name: string): string | undefined =>
  headers.find(([given]) => given.toLowerCase() === name)?.[1];

function bodyOf(headers: readonly [string, string][], lines: readonly string[]): string {
  const body = lines.join('\n').trim();
  return /chunked/i.test(headerOf(headers, 'transfer-encoding') ?? '') ? withoutChunks(body) : body;
}

/** Copied text keeps the lines with the sizes, but not always the bytes that they count, so only their form is used. */
function withoutChunks(body: string): string {
  if (!/^[\da-f]{1,8}[ \t]*\n/i.test(body)) return body;
  return body.replaceAll(/(?:^|\n)[\da-f]{1,8}[ \t]*(?:\n|$)/gi, '');
}
