// The endpoints of the Messages protocol, as Anthropic's service answers them. Uses no sockets.
import { orRefusal, toHttpReply, toJsonReply, toPerformedReply, toStreamReply } from '../http/http-reply';
import type { HttpReply, HttpRequest, Side } from '../http/http-reply';
import type { DemoTurn } from '../model/scenario';
import type { Stage } from '../model/stage';
import { countTokens, renderPrompt } from '../model/tokens';
import type { DemoUsage } from '../model/tokens';
import { WireError } from '../wire/wire-error';
import { toMessagesModel, toMessagesModels } from './messages-models';
import { readCountedPrompt, readMessagesChat } from './messages-request';
import { toMessagesBody, toMessagesEvents } from './messages-wire';

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** Per minute. No request is ever refused for them: that is what the rate-limited models are for. */
const LIMITS = { requests: 50, 'input-tokens': 30_000, 'output-tokens': 8000 };
const LIMIT_WINDOW_MS = 60_000;

/** Other services list their models at the same address; only Anthropic's clients send this header. */
const VERSION_HEADER = 'anthropic-version';
const MODELS_PATH = /^\/v1\/models(?:\/|$)/;

export const MESSAGES_SIDE: Side = {
  takes: ({ path, headers }) =>
    /^\/v1\/messages(?:\/|$)/.test(path) || (MODELS_PATH.test(path) && headers[VERSION_HEADER] !== undefined),
  answer: (request, stage, apiKey) => {
    const id = newRequestId(stage);
    const reply = orRefusal(
      () => toReply(request, stage, apiKey, id),
      (error) => toErrorReply(error, id),
    );
    return { ...reply, headers: { ...reply.headers, 'request-id': id } };
  },
  refuseSize: (stage) => {
    const id = newRequestId(stage);
    return toErrorReply(new WireError(413, 'Request exceeds the maximum size'), id);
  },
  hasDate: true,
};

const newRequestId = ({ mint }: Stage): string => `req_01${mint.newId().slice(0, 22)}`;

function toReply(request: HttpRequest, stage: Stage, apiKey: string | undefined, id: string): HttpReply {
  checkHeaders(request, apiKey);
  const { method, path } = request;
  if (method === 'GET' && MODELS_PATH.test(path)) {
    const name = path.replace(MODELS_PATH, '');
    return toJsonReply(name === '' ? toMessagesModels(request.query) : toMessagesModel(name));
  }
  switch (`${method} ${path}`) {
    case 'POST /v1/messages':
      return playChat(request, stage, id);
    case 'POST /v1/messages/count_tokens':
      return toJsonReply({ input_tokens: countTokens(renderPrompt(readCountedPrompt(request.body))) });
    case 'GET /v1/messages':
    case 'GET /v1/messages/count_tokens':
      throw new WireError(405, 'Method Not Allowed');
    default:
      throw new WireError(404, 'Not Found');
  }
}

/** @throws {WireError} 401 without the key, 400 without the version */
function checkHeaders({ headers }: HttpRequest, apiKey: string | undefined): void {
  const { authorization, 'x-api-key': key } = headers;
  if (apiKey !== undefined && key !== apiKey && authorization !== `Bearer ${apiKey}`) {
    if (key !== undefined) throw new WireError(401, 'invalid x-api-key');
    if (authorization !== undefined) throw new WireError(401, 'Invalid bearer token');
    throw new WireError(401, 'x-api-key header is required');
  }
  if (headers[VERSION_HEADER] === undefined) {
    throw new WireError(400, `${VERSION_HEADER}: header is required`);
  }
}

function playChat(request: HttpRequest, stage: Stage, id: string): HttpReply {
  const chat = readMessagesChat(request.body);
  const now = stage.mint.now();
  return toPerformedReply(stage.play(chat.request, request.body), {
    toFailure: ({ status, message, headers }) => {
      const isLimit = status === 429;
      const limits = isLimit ? toLimitHeaders({ requests: LIMITS.requests }, now) : {};
      const reply = toErrorReply(new WireError(status, message), id);
      return { ...reply, headers: { ...headers, ...limits, ...reply.headers } };
    },
    toTurn: (played, counted) => {
      const [turn, usage] = chat.request.sampling.maxTokens === 0 ? toNothing(counted) : [played, counted];
      const used = {
        requests: 1,
        'input-tokens': usage.promptTokens,
        'output-tokens': usage.completionTokens,
      };
      const limits = toLimitHeaders(used, now);
      if (!chat.isStreamed) return toJsonReply(toMessagesBody(chat, turn, usage, stage.mint), limits);
      const headers = { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-cache' };
      return toStreamReply(toMessagesEvents(chat, turn, usage, stage.mint), { ...headers, ...limits });
    },
  });
}

/** A limit of 0 only fills the cache: nothing is generated. */
function toNothing(usage: DemoUsage): [DemoTurn, DemoUsage] {
  return [
    { kind: 'turn', content: '', toolCalls: [], finishReason: 'length' },
    { ...usage, completionTokens: 0 },
  ];
}

/** @param used What this minute's requests have used of each limit; a limit that is absent is untouched. */
function toLimitHeaders(used: Partial<typeof LIMITS>, now: Date): Record<string, string> {
  const reset = new Date(now.getTime() + LIMIT_WINDOW_MS).toISOString().replace(/\.\d+Z$/, 'Z');
  const entries = Object.entries(LIMITS).flatMap(([name, limit]) => {
    const remaining = Math.max(0, limit - (used[name as keyof typeof LIMITS] ?? 0));
    const values = { limit: String(limit), remaining: String(remaining), reset };
    return Object.entries(values).map(([key, value]) => [`anthropic-ratelimit-${name}-${key}`, value]);
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** The service tells its clients whether another try makes sense. */
function toErrorReply({ status, message }: WireError, id: string): HttpReply {
  const error = { type: ERROR_TYPES[status] ?? 'api_error', message };
  const body = JSON.stringify({ type: 'error', error, request_id: id });
  const isWorthRetrying = status === 429 || status >= 500;
  const headers = { 'request-id': id, 'x-should-retry': String(isWorthRetrying) };
  return toHttpReply(status, body, { 'Content-Type': 'application/json', ...headers });
}
