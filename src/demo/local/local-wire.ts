// Writes turns and errors in the local protocol, as an Ollama server does. Pure.
import type { DemoTurn } from '../model/scenario';
import type { DemoUsage } from '../model/tokens';
import { splitWords } from '../http/http-reply';
import type { ReplyMint } from '../wire/reply-id';
import { WireError } from '../wire/wire-error';

export const LOCAL_JSON = 'application/json; charset=utf-8';
export const LOCAL_STREAM = 'application/x-ndjson';

/** Nanoseconds per token. Durations are computed from counts, so that the same request always gets the same response. */
const PROMPT_TOKEN_NS = 250_000;
const COMPLETION_TOKEN_NS = 8_000_000;
const LOAD_NS = 1_000_000;

interface LocalCall {
  id: string;
  function: { index: number; name: string; arguments: unknown };
}

/** The body of a response that is not streamed. */
export function toLocalBody(model: string, turn: DemoTurn, usage: DemoUsage, mint: ReplyMint): string {
  const message = {
    role: 'assistant',
    content: turn.content,
    ...(turn.reasoning ? { thinking: turn.reasoning } : {}),
    ...toLocalCalls(turn, mint),
  };
  return toGoJson({ ...toHead(model, mint), message, ...toTail(turn, usage) });
}

/** One line for each word, then the line with `done: true`, which has all calls. */
export function toLocalLines(model: string, turn: DemoTurn, usage: DemoUsage, mint: ReplyMint): string[] {
  const last = {
    ...toHead(model, mint),
    message: { role: 'assistant', content: '', ...toLocalCalls(turn, mint) },
    ...toTail(turn, usage),
  };
  const deltas = [
    ...splitWords(turn.reasoning ?? '').map((thinking) => ({ content: '', thinking })),
    ...splitWords(turn.content).map((content) => ({ content })),
  ];
  const lines = deltas.map((delta) => ({
    ...toHead(model, mint),
    message: { role: 'assistant', ...delta },
    done: false,
  }));
  return [...lines, last].map((line) => `${toGoJson(line)}\n`);
}

/** The response to a request without messages: one object, even when a stream was requested. */
export function toLocalLoad(model: string, reason: 'load' | 'unload', mint: ReplyMint): string {
  return toGoJson({
    ...toHead(model, mint),
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: reason,
  });
}

export function toLocalRendering(model: string, prompt: string, mint: ReplyMint): string {
  return toGoJson({
    ...toHead(model, mint),
    message: { role: '', content: '' },
    done: false,
    _debug_info: { rendered_template: prompt },
  });
}

export function toLocalError(message: string): string {
  return toGoJson({ error: message });
}

/** Go's encoder also escapes characters that could end a script tag. */
export function toGoJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** RFC 3339. Go omits trailing zeros of the fraction. */
export function toGoTime(date: Date): string {
  return date.toISOString().replace(/\.?0*Z$/, 'Z');
}

/** The counts of an embedding. Empty for 0 tokens, because the server omits zeros and then loads no model. */
export function toEmbeddingMetrics(tokens: number): Record<string, number> {
  if (tokens === 0) return {};
  const durationNs = tokens * PROMPT_TOKEN_NS;
  return { total_duration: LOAD_NS + durationNs, load_duration: LOAD_NS, prompt_eval_count: tokens };
}

function toHead(model: string, mint: ReplyMint): { model: string; created_at: string } {
  return { model, created_at: toGoTime(mint.now()) };
}

function toTail(turn: DemoTurn, usage: DemoUsage): Record<string, unknown> {
  const promptNs = usage.promptTokens * PROMPT_TOKEN_NS;
  const completionNs = usage.completionTokens * COMPLETION_TOKEN_NS;
  const metrics = {
    total_duration: LOAD_NS + promptNs + completionNs,
    load_duration: LOAD_NS,
    prompt_eval_count: usage.promptTokens,
    prompt_eval_duration: promptNs,
    eval_count: usage.completionTokens,
    eval_duration: completionNs,
  };
  const present = Object.entries(metrics).filter(([, count]) => count > 0);
  return { done: true, done_reason: turn.finishReason ?? 'stop', ...Object.fromEntries(present) };
}

/** Empty without calls. @throws {WireError} 500 when a call was cut off, because this server parses arguments itself */
function toLocalCalls(turn: DemoTurn, mint: ReplyMint): { tool_calls?: LocalCall[] } {
  if (turn.toolCalls.length === 0) return {};
  const calls = turn.toolCalls.map((call, index) => ({
    id: mint.newId(),
    function: { index, name: call.name, arguments: parseArguments(call.name, call.argumentsText) },
  }));
  return { tool_calls: calls };
}

function parseArguments(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const message = `llama-server returned invalid tool call arguments for "${name}": unexpected end of JSON input`;
    throw new WireError(500, message);
  }
}
