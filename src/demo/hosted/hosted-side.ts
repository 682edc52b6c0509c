// The endpoints of the hosted protocol, as llama-server answers them with and without /v1. Uses no sockets.
import { toHostedEmbeddings } from './hosted-embedding';
import { toHostedTemplate, toHostedTokens } from './hosted-prompt';
import { readHostedChat } from './hosted-request';
import {
  HOSTED_JSON,
  HOSTED_STREAM,
  toHostedBody,
  toHostedError,
  toHostedEvents,
  toHostedFailure,
  toHostedModels,
  toHostedRefusal,
} from './hosted-wire';
import { SCENARIOS } from '../scenarios';
import type { Stage } from '../model/stage';
import type { WireError } from '../wire/wire-error';
import { orRefusal, toHttpReply, toPerformedReply, toStreamReply } from '../http/http-reply';
import type { HttpReply, HttpRequest, Side } from '../http/http-reply';

const KEEP_ALIVE = { 'Keep-Alive': 'timeout=5, max=100' };

export const HOSTED_SIDE: Omit<Side, 'takes'> = {
  answer: (request, stage, apiKey) => {
    const reply = orRefusal(() => toReply(request, stage, apiKey), toErrorReply);
    const headers = { Server: 'llama.cpp', 'Access-Control-Allow-Origin': '', ...reply.headers };
    return { ...reply, headers };
  },
  refuseSize: () => toRefusal(413, toHostedRefusal(413, 'Payload Too Large', 'invalid_request_error')),
  hasDate: false,
};

/** A key is required for every endpoint but the health check, as with llama-server's `--api-key`. */
function toReply(request: HttpRequest, stage: Stage, apiKey: string | undefined): HttpReply {
  const route = `${request.method} ${request.path.replace(/^\/v1(?=\/)/, '')}`;
  if (request.method === 'OPTIONS') return toPreflight();
  if (route === 'GET /health') return toJsonReply(JSON.stringify({ status: 'ok' }));
  if (apiKey !== undefined && !hasKey(request, apiKey)) {
    return toRefusal(401, toHostedRefusal(401, 'Invalid API Key', 'authentication_error'));
  }
  switch (route) {
    case 'POST /chat/completions':
      return playChat(request, stage);
    case 'POST /embeddings':
      return toJsonReply(toHostedEmbeddings(request.body));
    case 'POST /apply-template':
      return toJsonReply(toHostedTemplate(request.body));
    case 'POST /tokenize':
      return toJsonReply(toHostedTokens(request.body));
    case 'GET /models':
      return toJsonReply(toHostedModels(SCENARIOS, Math.floor(stage.mint.now().getTime() / 1000)));
    default:
      return toRefusal(404, toHostedRefusal(404, 'File Not Found', 'not_found_error'));
  }
}

function hasKey(request: HttpRequest, apiKey: string): boolean {
  return request.headers['authorization'] === `Bearer ${apiKey}` || request.headers['x-api-key'] === apiKey;
}

function playChat(request: HttpRequest, stage: Stage): HttpReply {
  const chat = readHostedChat(request.body);
  return toPerformedReply(stage.play(chat.request, request.body), {
    toFailure: (failure) => toRefusal(failure.status, toHostedFailure(failure), failure.headers),
    toTurn: (turn, usage) => {
      if (!chat.isStreamed) return toJsonReply(toHostedBody(chat, turn, usage, stage.mint));
      const headers = { 'X-Accel-Buffering': 'no', 'Content-Type': HOSTED_STREAM, ...KEEP_ALIVE };
      return toStreamReply(toHostedEvents(chat, turn, usage, stage.mint), headers);
    },
  });
}

function toJsonReply(body: string): HttpReply {
  return toHttpReply(200, body, { 'Content-Type': HOSTED_JSON, ...KEEP_ALIVE });
}

const toErrorReply = (error: WireError): HttpReply => toRefusal(error.status, toHostedError(error));

/** llama-server closes the connection after every error. */
function toRefusal(status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpReply {
  return toHttpReply(status, body, { ...headers, 'Content-Type': HOSTED_JSON, Connection: 'close' });
}

function toPreflight(): HttpReply {
  return toHttpReply(200, '', {
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
    'Access-Control-Allow-Headers': '*',
    'Content-Type': 'text/html',
    ...KEEP_ALIVE,
  });
}
