// The endpoints of the local protocol, as an Ollama server answers them at /api/* and at the root. Uses no sockets.
import { readLocalEmbed, readLocalEmbeddings } from './local-embedding';
import type { LocalEmbedding } from './local-embedding';
import { toLocalPs, toLocalShow, toLocalTags } from './local-models';
import { readLocalChat, readLocalModel, readLocalObject, withoutTag } from './local-request';
import type { LocalChat } from './local-request';
import {
  LOCAL_JSON,
  LOCAL_STREAM,
  toGoJson,
  toLocalBody,
  toLocalError,
  toLocalLines,
  toLocalLoad,
  toLocalRendering,
} from './local-wire';
import { findScenario } from '../scenarios';
import type { DemoFailure, DemoTurn } from '../model/scenario';
import type { Stage } from '../model/stage';
import { cutToContext } from '../model/cut-to-context';
import { renderPrompt } from '../model/tokens';
import type { DemoUsage } from '../model/tokens';
import { toWireError, WireError } from '../wire/wire-error';
import { orRefusal, toHttpReply, toPerformedReply, toStreamReply } from '../http/http-reply';
import type { HttpReply, HttpRequest, Side } from '../http/http-reply';

/** Not a real version number, so that a diagnosis does not take this server for a real one. */
const VERSION = '0.32.0-demo';

const PLAIN_TEXT = 'text/plain';

interface Endpoint {
  methods: readonly string[];
  answer: (request: HttpRequest, stage: Stage) => HttpReply;
}

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  '/': {
    methods: ['GET', 'HEAD'],
    answer: () => toHttpReply(200, 'Ollama is running', { 'Content-Type': 'text/plain; charset=utf-8' }),
  },
  '/api/version': { methods: ['GET', 'HEAD'], answer: () => toJsonReply({ version: VERSION }) },
  '/api/tags': { methods: ['GET', 'HEAD'], answer: () => toJsonReply(toLocalTags()) },
  '/api/ps': {
    methods: ['GET'],
    answer: (_, stage) => toJsonReply(toLocalPs(stage.loaded.list(stage.mint.now()))),
  },
  '/api/show': { methods: ['POST'], answer: answerShow },
  '/api/chat': { methods: ['POST'], answer: answerChat },
  '/api/embed': {
    methods: ['POST'],
    answer: (request, stage) => answerEmbedding(readLocalEmbed(request.body), stage),
  },
  '/api/embeddings': {
    methods: ['POST'],
    answer: (request, stage) => answerEmbedding(readLocalEmbeddings(request.body), stage),
  },
};

export const LOCAL_SIDE: Side = {
  takes: ({ path }) => path === '/' || path === '/api' || path.startsWith('/api/'),
  answer: (request, stage) => {
    const endpoint = ENDPOINTS[request.path];
    return endpoint
      ? answerEndpoint(endpoint, request, stage)
      : toHttpReply(404, '404 page not found', { 'Content-Type': PLAIN_TEXT });
  },
  refuseSize: () => toErrorReply(new WireError(413, 'http: request body too large')),
  hasDate: true,
};

function answerEndpoint(endpoint: Endpoint, request: HttpRequest, stage: Stage): HttpReply {
  if (!endpoint.methods.includes(request.method)) {
    const headers = { Allow: endpoint.methods.join(', '), 'Content-Type': PLAIN_TEXT };
    return toHttpReply(405, '405 method not allowed', headers);
  }
  return orRefusal(() => endpoint.answer(request, stage), toErrorReply);
}

function answerShow(request: HttpRequest): HttpReply {
  const model = readLocalModel(readLocalObject(request.body, 'ShowRequest'));
  const scenario = findScenario(withoutTag(model));
  if (!scenario)
    throw new WireError(404, `model '${model.includes(':') ? model : `${model}:latest`}' not found`);
  return toJsonReply(toLocalShow(scenario));
}

function answerChat(request: HttpRequest, stage: Stage): HttpReply {
  const chat = readLocalChat(request.body);
  const keep = (): void =>
    stage.loaded.keep(chat.scenario, chat.keepAliveMs, stage.mint.now(), chat.request.sampling.numCtx);
  if (chat.loadReason) {
    keep();
    return toHttpReply(200, toLocalLoad(chat.model, chat.loadReason, stage.mint), {
      'Content-Type': LOCAL_JSON,
    });
  }
  if (chat.isRenderOnly) {
    keep();
    const prompt = renderPrompt(cutToContext(chat.request));
    return toHttpReply(200, toLocalRendering(chat.model, prompt, stage.mint), { 'Content-Type': LOCAL_JSON });
  }
  return toPerformedReply(stage.play(chat.request, request.body), {
    toFailure: toFailureReply,
    toTurn: (turn, usage) => {
      keep();
      return toTurnReply(chat, turn, usage, stage);
    },
  });
}

function answerEmbedding({ scenario, keepAliveMs, answer }: LocalEmbedding, stage: Stage): HttpReply {
  stage.loaded.keep(scenario, keepAliveMs, stage.mint.now());
  return toHttpReply(200, answer, { 'Content-Type': LOCAL_JSON });
}

function toFailureReply(failure: DemoFailure): HttpReply {
  const refusal = toErrorReply(new WireError(failure.status, failure.message));
  return { ...refusal, headers: { ...failure.headers, ...refusal.headers } };
}

function toTurnReply(chat: LocalChat, turn: DemoTurn, usage: DemoUsage, stage: Stage): HttpReply {
  try {
    if (chat.isStreamed) {
      const pieces = toLocalLines(chat.model, turn, usage, stage.mint);
      return toStreamReply(pieces, { 'Content-Type': LOCAL_STREAM });
    }
    const body = toLocalBody(chat.model, turn, usage, stage.mint);
    return toHttpReply(200, body, { 'Content-Type': LOCAL_JSON });
  } catch (error) {
    // When a real server's runner fails, the content type of the stream is set already, hence no charset.
    const refusal = toErrorReply(error);
    return chat.isStreamed
      ? { ...refusal, headers: { 'Content-Type': 'application/json' }, isStreamed: true }
      : refusal;
  }
}

function toJsonReply(value: unknown): HttpReply {
  return toHttpReply(200, toGoJson(value), { 'Content-Type': LOCAL_JSON });
}

function toErrorReply(error: unknown): HttpReply {
  const { status, message } = toWireError(error);
  return toHttpReply(status, toLocalError(message), { 'Content-Type': LOCAL_JSON });
}
