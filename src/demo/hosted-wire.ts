// Writes turns and errors in the hosted protocol, as a llama-server does. Pure translation.
import type { HostedChat } from './hosted-request';
import type { DemoCall, DemoFailure, DemoTurn, Scenario } from './scenario';
import type { DemoUsage } from './tokens';
import { toHermesText } from './tool-call-text';
import type { WireError } from './wire-error';
import { splitWords } from './wire-reply';
import type { ReplyMint } from './wire-reply';

export const HOSTED_JSON = 'application/json; charset=utf-8';
export const HOSTED_STREAM = 'text/event-stream';

const FINGERPRINT = 'demo';

/** Milliseconds a token: times are made from counts, so that the same request always gets the same answer. */
const PROMPT_TOKEN_MS = 0.25;
const COMPLETION_TOKEN_MS = 8;

/** What a streamed and a whole answer have in common; their key order differs, as the server's does. */
interface Envelope {
  id: string;
  created: number;
  model: string;
}

/** The one object of an answer that is not streamed. */
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

/** Server-sent events: the role, a word each, the calls, the finish, the usage when it was asked for, `[DONE]`. */
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
  return [...chunks.map((chunk) => toEvent(JSON.stringify(chunk))), toEvent('[DONE]')];
}

/** A refusal in llama-server's shape; `code` is the status, a number. */
export function toHostedError(error: WireError): string {
  return JSON.stringify({ error: { code: error.status, message: error.message, type: error.type } });
}

/** What its web server says before a handler is reached: the same keys in another order. */
export function toHostedRefusal(status: number, message: string, type: string): string {
  return JSON.stringify({ error: { message, type, code: status } });
}

/** A model's failure: llama-server's own kind in its shape, the rest in OpenAI's, for it knows no rate limits. */
export function toHostedFailure(failure: DemoFailure): string {
  const { message, type, code } = failure;
  if (typeof code === 'number') return toHostedRefusal(code, message, type);
  return JSON.stringify({ error: { message, type, param: null, code } });
}

/** Also the list in the local protocol's shape, which this server sends along. */
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

function toEvent(data: string): string {
  return `data: ${data}\n\n`;
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

/** The first delta of a call has its id, type and name; later ones only pieces of the arguments. */
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
