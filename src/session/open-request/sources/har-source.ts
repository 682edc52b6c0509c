// Reads the HTTP archive of a browser or a proxy: of its entries, those that send JSON. http://www.softwareishard.com/blog/har-12-spec/
import { t } from '@vscode/l10n';
import { isRecord } from '../../../library';
import type { FoundReply, FoundRequest, RequestSource } from '../found-request';
import { UnreadRequest } from '../found-request';

export const HAR_SOURCE: RequestSource = {
  id: 'har',
  title: () => t('HAR file'),
  reads: ({ json }) => (entriesOf(json) ? 3 : 0),
  read: ({ json }) => {
    const found = (entriesOf(json) ?? []).flatMap(toFound);
    if (found.length > 0) return found;
    throw new UnreadRequest(
      t('The HAR file has no request with a body of JSON.'),
      t('Save it again while the request is sent, with its contents.'),
    );
  },
};

function entriesOf(json: unknown): unknown[] | undefined {
  const log = isRecord(json) ? json['log'] : undefined;
  const entries = isRecord(log) ? log['entries'] : undefined;
  return Array.isArray(entries) ? entries : undefined;
}

function toFound(entry: unknown): FoundRequest[] {
  const { request, response, startedDateTime, time } = toRecord(entry);
  const { method, url, headers, postData } = toRecord(request);
  const { text } = toRecord(postData);
  if (typeof url !== 'string' || typeof text !== 'string' || !/^\s*[[{]/.test(text)) return [];
  const startedAt = typeof startedDateTime === 'string' ? Date.parse(startedDateTime) : Number.NaN;
  const reply = toReply(toRecord(response));
  return [
    {
      title: [method, url].map(String).join(' '),
      method: typeof method === 'string' ? method : 'POST',
      url,
      headers: toPairs(headers),
      body: text,
      ...(reply && {
        reply: {
          ...reply,
          ...(Number.isFinite(startedAt) && { startedAt }),
          ...(typeof time === 'number' && time > 0 && { durationMs: Math.round(time) }),
        },
      }),
      leftOut: [],
    },
  ];
}

/** A status of 0 is a request without an answer. */
function toReply({ status, headers, content }: Record<string, unknown>): FoundReply | undefined {
  const { text, encoding } = toRecord(content);
  if (typeof status !== 'number' || status < 100 || typeof text !== 'string') return undefined;
  const fields = toPairs(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    status,
    headers: Object.fromEntries(fields),
    body: encoding === 'base64' ? fromBase64(text) : text,
  };
}

const toPairs = (headers: unknown): (readonly [string, string])[] =>
  (Array.isArray(headers) ? headers : []).flatMap((one) => {
    const { name, value } = toRecord(one);
    // Pseudo-headers of HTTP/2 say what the rest of the entry says.
    return typeof name === 'string' && typeof value === 'string' && !name.startsWith(':')
      ? [[name, value] as const]
      : [];
  });

const toRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

function fromBase64(text: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0)));
  } catch {
    return text;
  }
}
