// The endpoints of the Responses protocol, as OpenAI's service answers them. Uses no sockets.
import {
  orRefusal,
  toHttpReply,
  toJsonReply,
  toPerformedReply,
  toServerEvent,
  toStreamReply,
} from '../http/http-reply';
import type { HttpReply, HttpRequest, Side } from '../http/http-reply';
import type { DemoTurn } from '../model/scenario';
import type { Stage } from '../model/stage';
import { countTokens, renderPrompt } from '../model/tokens';
import type { DemoUsage } from '../model/tokens';
import { WireError } from '../wire/wire-error';
import { readCountedPrompt, readResponsesChat } from './responses-request';
import type { ResponsesChat } from './responses-request';
import { toFinishedResponse, toOutput, toResponsesEvents, toStartedResponse } from './responses-wire';

/** Per minute. No request is ever refused for them: that is what the rate-limited models are for. */
const LIMITS = { requests: 500, tokens: 200_000 };
const LIMIT_WINDOW_MS = 60_000;
const VERSION = '2020-10-01';

export const RESPONSES_SIDE: Side = {
  takes: ({ path }) => /^\/v1\/responses(?:\/|$)/.test(path),
  answer: (request, stage, apiKey) =>
    withIds(
      orRefusal(() => toReply(request, stage, apiKey), toErrorReply),
      stage,
    ),
  refuseSize: (stage) => withIds(toErrorReply(new WireError(413, 'Request body is too large.')), stage),
  hasDate: true,
};

function withIds(reply: HttpReply, { mint }: Stage): HttpReply {
  const id = `req_${mint.newId().toLowerCase()}`;
  return { ...reply, headers: { ...reply.headers, 'x-request-id': id, 'openai-version': VERSION } };
}

function toReply(request: HttpRequest, stage: Stage, apiKey: string | undefined): HttpReply {
  checkKey(request, apiKey);
  const { method, path, body } = request;
  const name = path.replace(/^\/v1\/responses\/?/, '');
  if (name === '') {
    if (method === 'POST') return playChat(request, stage);
    throw new WireError(405, `${path} takes POST requests, and not ${method}.`);
  }
  if (method === 'POST' && name === 'input_tokens') {
    const tokens = countTokens(renderPrompt(readCountedPrompt(body, stage.responses)));
    return toJsonReply({ object: 'response.input_tokens', input_tokens: tokens });
  }
  if (method === 'GET' || method === 'DELETE') return answerStored(method, name, stage);
  throw new WireError(404, `Invalid URL (${method} ${path})`);
}

/** @throws {WireError} 401. The key itself is not repeated. */
function checkKey({ headers: { authorization } }: HttpRequest, apiKey: string | undefined): void {
  if (apiKey === undefined || authorization === `Bearer ${apiKey}`) return;
  if (authorization === undefined) {
    throw new WireError(
      401,
      "You didn't provide an API key: it belongs into the header `Authorization: Bearer KEY`.",
    );
  }
  throw new WireError(401, 'Incorrect API key provided.', 'invalid_request_error', {
    code: 'invalid_api_key',
  });
}

function answerStored(method: 'GET' | 'DELETE', id: string, { responses }: Stage): HttpReply {
  const response = responses.find(id)?.response;
  if (response === undefined) throw new WireError(404, `Response with id '${id}' not found.`);
  if (method === 'GET') return toJsonReply(response);
  responses.delete(id);
  return toJsonReply({ id, object: 'response', deleted: true });
}

function playChat(request: HttpRequest, stage: Stage): HttpReply {
  const chat = readResponsesChat(request.body, stage.responses);
  return toPerformedReply(stage.play(chat.request, request.body), {
    toFailure: ({ status, message, type, code, headers }) => {
      const place = typeof code === 'string' ? { code } : {};
      const limits = status === 429 ? toLimitHeaders({ requests: LIMITS.requests }) : {};
      const reply = toErrorReply(new WireError(status, message, type, place));
      return { ...reply, headers: { ...headers, ...limits, ...reply.headers } };
    },
    toTurn: (turn, usage) => toTurnReply(chat, turn, usage, stage),
  });
}

function toTurnReply(chat: ResponsesChat, turn: DemoTurn, usage: DemoUsage, stage: Stage): HttpReply {
  const started = toStartedResponse(chat, stage.mint);
  const items = toOutput(chat, turn, stage.mint);
  const finished = toFinishedResponse(started, items, turn, usage);
  const output = items.map(({ whole }) => whole);
  if (chat.isStored) {
    stage.responses.keep(String(started['id']), { response: finished, items: [...chat.items, ...output] });
  }
  const limits = toLimitHeaders({ requests: 1, tokens: usage.promptTokens + usage.completionTokens });
  if (!chat.isStreamed) return toJsonReply(finished, limits);
  const pieces = toResponsesEvents(chat, started, items, finished, stage.mint).map((event) =>
    toServerEvent(JSON.stringify(event), String(event['type'])),
  );
  return toStreamReply(pieces, { 'Content-Type': 'text/event-stream; charset=utf-8', ...limits });
}

/** @param used What this minute's requests have used of each limit; a limit that is absent is untouched. */
function toLimitHeaders(used: Partial<typeof LIMITS>): Record<string, string> {
  const entries = Object.entries(LIMITS).flatMap(([name, limit]) => {
    const part = Math.min(limit, used[name as keyof typeof LIMITS] ?? 0);
    return [
      [`x-ratelimit-limit-${name}`, String(limit)],
      [`x-ratelimit-remaining-${name}`, String(limit - part)],
      [`x-ratelimit-reset-${name}`, toDuration(Math.ceil((part / limit) * LIMIT_WINDOW_MS))],
    ];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** As the service writes durations: `120ms`, `1s`, `1m0s`. */
function toDuration(ms: number): string {
  if (ms < 1000) return `${ms}ms`;
  const seconds = Math.ceil(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

function toErrorReply({ status, message, type, place }: WireError): HttpReply {
  const error = { message, type, param: place.param ?? null, code: place.code ?? null };
  return toHttpReply(status, JSON.stringify({ error }), { 'Content-Type': 'application/json' });
}
