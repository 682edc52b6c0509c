// The view of a wire record for a front end, and the text of a body. Pure.
import { Buffer } from 'node:buffer';
import type { BodyKind, ProtocolEntry } from '../../../inspect';
import { bodyKind, copyForms, isOverHttp, samplingWays } from '../../../inspect';
import type { WireAttemptView, WireFileName, WireResponseView, WireView } from '../../../protocol';
import type { AttemptResponse, ParameterWay } from '../../../types';
import type { WireAttempt, WireRecord } from './wire-record';

const MAX_URL = 2_000;
const MAX_TYPE = 200;
const MAX_VALUE = 200;
const MAX_CHANGED = 20;
const MAX_SENTENCE = 500;
/** Limit of the attempts in a view: a retry policy may allow any number. */
const MAX_ATTEMPTS = 200;

/** @param catalog The protocols in which a request can be copied. */
export function toWireView(record: WireRecord | undefined, catalog: readonly ProtocolEntry[]): WireView {
  if (!record) return { attempts: [], copyForms: [] };
  const last = record.attempts.at(-1);
  const request = last && record.requests[last.request];
  return {
    attempts: record.attempts.slice(-MAX_ATTEMPTS).map((attempt) => toAttemptView(record, attempt)),
    copyForms: request ? copyForms(request, catalog) : [],
    ...(record.changed && {
      changed: record.changed.slice(0, MAX_CHANGED).map((text) => text.slice(0, MAX_SENTENCE)),
    }),
    ...(request && { parameters: toParameters(record, request.body, last.response) }),
  };
}

function toParameters(
  { sampling }: WireRecord,
  body: string,
  response: AttemptResponse | undefined,
): ParameterWay[] {
  return samplingWays(sampling, body, response?.body).map(({ value, sentValue, reported, ...rest }) => ({
    ...rest,
    ...(value !== undefined && { value: value.slice(0, MAX_VALUE) }),
    ...(sentValue !== undefined && { sentValue: sentValue.slice(0, MAX_VALUE) }),
    ...(reported !== undefined && { reported: reported.slice(0, MAX_VALUE) }),
  }));
}

function toAttemptView({ requests }: WireRecord, { name, request, response }: WireAttempt): WireAttemptView {
  const { method = '', url = '', body = '' } = requests[request] ?? {};
  const isHttp = isOverHttp({ url });
  const view = response && toResponseView(response);
  return {
    name,
    method: method.slice(0, MAX_TYPE),
    url: url.slice(0, MAX_URL),
    ...(!isHttp && { isWithoutHttp: true as const }),
    requestBytes: Buffer.byteLength(body),
    ...(view && { response: view }),
    files: [
      ...(isHttp ? (['request.http'] as const) : []),
      ...(bodyKind(body, '') === 'json' ? (['request.json'] as const) : []),
      ...(view ? filesOf(view) : []),
      ...(isHttp ? (['headers.txt'] as const) : []),
    ],
  };
}

function filesOf({ bytes, kind }: WireResponseView): WireFileName[] {
  const files: WireFileName[] = kind === 'json' ? ['response.json'] : [];
  if (kind === 'events' || kind === 'lines') files.push('response.events');
  return bytes > 0 ? [...files, 'response.raw'] : files;
}

function toResponseView(response: AttemptResponse): WireResponseView {
  const { status, body, isBase64, isComplete, omittedBytes = 0 } = response;
  return {
    ...(status !== undefined && { status }),
    bytes: Buffer.byteLength(body, isBase64 ? 'base64' : 'utf8'),
    kind: isBase64 ? 'binary' : kindOf(response),
    contentType: contentTypeOf(response).slice(0, MAX_TYPE),
    isComplete,
    omittedBytes,
  };
}

/** The kind of the body's text. A body that is not valid UTF-8 is decoded as far as possible. */
export const kindOf = (response: AttemptResponse): BodyKind =>
  bodyKind(textOf(response), contentTypeOf(response));

export const textOf = ({ body, isBase64 }: AttemptResponse): string =>
  isBase64 ? Buffer.from(body, 'base64').toString('utf8') : body;

const contentTypeOf = ({ headers }: AttemptResponse): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
