// Writes turns and errors in the hosted protocol, as llama-server does. Pure.
import type { HostedChat } from './hosted-request';
import type { DemoCall, DemoFailure, DemoTurn, Scenario } from '../model/scenario';
import type { DemoUsage } from '../model/tokens';
import { toHermesText } from '../model/tool-call-text';
import type { WireError } from '../wire/wire-error';
import { splitWords, toServerEvent } from '../http/http-reply';
import type { ReplyMint } from '../wire/reply-id';

export const HOSTED_JSON = 'application/json; charset=utf-8';
export const HOSTED_STREAM = 'text/event-stream';

const FINGERPRINT = 'demo';

/** Milliseconds per token. Times are computed from counts, so that the same request always gets the same response. */
const PROMPT_TOKEN_MS = 0.25;
const COMPLETION_TOKEN_MS = 8;

/** Fields of both streamed and unstreamed responses; their key order differs, as in llama-server. */
interface Envelope {
  id: string;
  created: number;
  model: string;
}

/** The body of a response that is not streamed. */
export function toHostedBody(chat: HostedChat, played: DemoTurn, usage: DemoUsage, mint: ReplyMint): string {
  const turn = chat.areCallsText ? withCallsAsText(played) : played;
  const { id, created, model } = toEnvelope(chat, mint);
  return JSON.stringify({
    choices: Array.from({ length: chat.choices }, (_, index) => ({
      finish_reason: toFinishReason(turn),
      index,
      message: toMessage(turn, mint),
    })),
    created,
    model,
    system_fingerprint: FINGERPRINT,
    object: 'chat.completion',
    usage: toUsage(usage),
    id,
    timings: toTimings(usage),
  });
}

/** Server-sent events: the role, one event for each word, the calls, the finish, the usage if requested, `[DONE]`. */
export function toHostedEvents(
  chat: HostedChat,
  played: DemoTurn,
  usage: DemoUsage,
  mint: ReplyMint,
): string[] {
  const turn = chat.areCallsText ? withCallsAsText(played) : played;
  const envelope = toEnvelope(chat, mint);
  const deltas = [
    { role: 'assistant', content: null },
    ...splitWords(turn.reasoning ?? '').map((word) => ({ reasoning_content: word })),
    ...splitWords(turn.content).map((content) => ({ content })),
    ...turn.toolCalls.flatMap((call, index) => toCallDeltas(call, index, mint)),
  ];
  const chunks: unknown[] = deltas.map((delta) =>
    toChunk(envelope, [{ finish_reason: null, index: 0, delta }]),
  );
  const finish = toChunk(envelope, [{ finish_reason: toFinishReason(turn), index: 0, delta: {} }]);
  const timings = { timings: toTimings(usage) };
  if (chat.hasStreamUsage) {
    chunks.push(finish, { ...toChunk(envelope, []), usage: toUsage(usage), ...timings });
  } else {
    chunks.push({ ...finish, ...timings });
  }
  return [...chunks.map((chunk) => toServerEvent(JSON.stringify(chunk))), toServerEvent('[DONE]')];
}

/** An error in llama-server's shape; `code` is the status as a number. */
export function toHostedError(error: WireError): string {
  return JSON.stringify({ error: { code: error.status, message: error.message, type: error.type } });
}

/** An error from llama-server's HTTP layer, before any handler runs: the same keys in another order. */
export function toHostedRefusal(status: number, message: string, type: string): string {
  return JSON.stringify({ error: { message, type, code: status } });
}

/**
 * A scripted failure: with a number as code in llama-server's shape, otherwise in OpenAI's, since llama-server has no rate
 * limits.
 */
export function toHostedFailure(failure: DemoFailure): string {
  const { message, type, code } = failure;
  if (typeof code === 'number') return toHostedRefusal(code, message, type);
  return JSON.stringify({ error: { message, type, param: null, code } });
}

/** The list of models. llama-server includes the list in the local protocol's shape too. */
export function toHostedModels(scenarios: readonly Scenario[], created: number): string {
  const details = {
    parent_model: '',
    format: 'scripted',
    family: '',
    families: [''],
    parameter_size: '',
    quantization_level: '',
  };
  const unknown = { modified_at: '', size: '', digest: '' };
  const modalities = { input_modalities: ['text'], output_modalities: ['text'] };
  return JSON.stringify({
    models: scenarios.map(({ name, isEmbedder }) => ({
      name,
      model: name,
      ...unknown,
      type: 'model',
      description: '',
      tags: [''],
      capabilities: [isEmbedder ? 'embedding' : 'completion'],
      parameters: '',
      details,
    })),
    object: 'list',
    data: scenarios.map(({ name }) => ({
      id: name,
      aliases: [name],
      tags: [],
      object: 'model',
      architecture: modalities,
      created,
      owned_by: 'provider-playground',
    })),
  });
}

function toEnvelope(chat: HostedChat, mint: ReplyMint): Envelope {
  return {
    id: `chatcmpl-${mint.newId()}`,
    created: Math.floor(mint.now().getTime() / 1000),
    model: chat.request.model,
  };
}

function toChunk(envelope: Envelope, choices: readonly unknown[]): Record<string, unknown> {
  const { created, id, model } = envelope;
  return {
    choices,
    created,
    id,
    model,
    system_fingerprint: FINGERPRINT,
    object: 'chat.completion.chunk',
  };
}

function toMessage(turn: DemoTurn, mint: ReplyMint): Record<string, unknown> {
  const calls = turn.toolCalls.map((call) => ({
    type: 'function',
    function: { name: call.name, arguments: call.argumentsText },
    id: mint.newId(),
  }));
  return {
    role: 'assistant',
    content: turn.content,
    ...(turn.reasoning ? { reasoning_content: turn.reasoning } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** The first delta of a call has its id, type and name; the following ones have only pieces of the arguments. */
function toCallDeltas(call: DemoCall, index: number, mint: ReplyMint): object[] {
  const [first = '', ...rest] = splitWords(call.argumentsText);
  const opening = {
    index,
    id: mint.newId(),
    type: 'function',
    function: { name: call.name, arguments: first },
  };
  const pieces = rest.map((piece) => ({ index, function: { arguments: piece } }));
  return [opening, ...pieces].map((delta) => ({ tool_calls: [delta] }));
}

function toFinishReason(turn: DemoTurn): string {
  if (turn.finishReason === 'length') return 'length';
  return turn.toolCalls.length > 0 ? 'tool_calls' : 'stop';
}

function withCallsAsText(turn: DemoTurn): DemoTurn {
  if (turn.toolCalls.length === 0) return turn;
  const text = toHermesText(turn.toolCalls);
  return { ...turn, content: turn.content === '' ? text : `${turn.content}\n${text}`, toolCalls: [] };
}

function toUsage(usage: DemoUsage): Record<string, unknown> {
  return {
    completion_tokens: usage.completionTokens,
    prompt_tokens: usage.promptTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedTokens },
  };
}

function toTimings(usage: DemoUsage): Record<string, number> {
  const promptTokens = usage.promptTokens - usage.cachedTokens;
  return {
    cache_n: usage.cachedTokens,
    prompt_n: promptTokens,
    prompt_ms: promptTokens * PROMPT_TOKEN_MS,
    prompt_per_token_ms: PROMPT_TOKEN_MS,
    prompt_per_second: 1000 / PROMPT_TOKEN_MS,
    predicted_n: usage.completionTokens,
    predicted_ms: usage.completionTokens * COMPLETION_TOKEN_MS,
    predicted_per_token_ms: COMPLETION_TOKEN_MS,
    predicted_per_second: 1000 / COMPLETION_TOKEN_MS,
  };
}
