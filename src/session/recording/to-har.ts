// Writes recorded requests as a HAR file (HTTP Archive 1.2), which the tools of browsers and proxies read. Pure.
import { textOf } from '../run/record/wire-view';
import type { AttemptResponse, RecordedExchange } from '../../types';

/** @param madeBy Such as `Provider Playground 0.1.0`. */
export function toHar(exchanges: readonly RecordedExchange[], madeBy: string): string {
  const [, name = madeBy, version = ''] = /^(.*) (\S+)$/.exec(madeBy) ?? [];
  const log = { version: '1.2', creator: { name, version }, entries: exchanges.map(toEntry) };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}

function toEntry({
  startedAt,
  request,
  response,
  headersMs,
  endMs,
  program,
  problem,
}: RecordedExchange): object {
  const { method, url, body, isBase64 } = request;
  const bytes = Buffer.byteLength(body, isBase64 ? 'base64' : 'utf8');
  const wait = headersMs ?? endMs;
  const query = URL.canParse(url) ? [...new URL(url).searchParams] : [];
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: endMs,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toFields(request.headers),
      queryString: query.map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: bytes,
      ...(bytes > 0 && {
        postData: {
          mimeType: typeOf(request.headers),
          text: body,
          ...(isBase64 && { comment: 'base64' }),
        },
      }),
    },
    response: toResponse(response),
    cache: {},
    timings: { send: 0, wait, receive: Math.max(0, endMs - wait) },
    ...(program !== '' && { _program: program }),
    ...(problem !== undefined && { comment: problem }),
  };
}

/** Without a response, the status is 0, as browsers write it. */
function toResponse(response: AttemptResponse | undefined): object {
  const { status = 0, headers = {}, body = '', isBase64 } = response ?? {};
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toFields(headers),
    content: {
      size: Buffer.byteLength(body, isBase64 ? 'base64' : 'utf8'),
      mimeType: typeOf(headers),
      text: isBase64 || !response ? body : textOf(response),
      ...(isBase64 && { encoding: 'base64' }),
    },
    redirectURL: '',
    headersSize: -1,
    bodySize: -1,
  };
}

const toFields = (headers: Readonly<Record<string, string>>): object[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const typeOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
