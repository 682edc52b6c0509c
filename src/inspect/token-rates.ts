// Rates of prompt processing and generation: from times that the server reports, else from the arrival of the reply. Pure.
import type { AttemptRecord, ExchangeResponse, TokenRates, TokenUsage } from '../types';
import { parseRecord } from './json-record';
import { isRecord } from '../library';

/**
 * How much of the end of a response is searched for the server's times, in UTF-16 code units. A line that begins before
 * that is still read: the last one of Ollama has all calls.
 */
const MAX_READ = 20_000;
/** A shorter time from the first piece to the end gives no rate. */
const MIN_WRITING_MS = 50;
const NS_PER_MS = 1_000_000;

/** A finished call with its times and counts. */
export interface MeasuredRun {
  response: Pick<ExchangeResponse, 'body'> | undefined;
  usage: TokenUsage;
  ledger: readonly AttemptRecord[];
  /** Milliseconds from the start of the last attempt to the first piece of the reply. */
  firstTokenMs?: number | undefined;
}

/** @returns undefined when no rate is known */
export function tokenRates(run: MeasuredRun): TokenRates | undefined {
  return unparsedCallFindings(run) ?? measured(run);
}

function unparsedCallFindings({ response, usage }: MeasuredRun): TokenRates | undefined {
  const last = response && lastDocument(response.body);
  if (!last) return undefined;
  const { timings } = last;
  if (isRecord(timings)) {
    // llama-server
    return toRates({
      prompt: perSecond(timings['prompt_n'], timings['prompt_ms']),
      completion: perSecond(timings['predicted_n'], timings['predicted_ms']),
      loadMs: undefined,
    });
  }
  // Ollama, in nanoseconds
  const { cachedTokens = 0, promptTokens = 0 } = usage;
  return toRates({
    prompt: perSecond(promptTokens - cachedTokens, toMs(last['prompt_eval_duration'])),
    completion: perSecond(last['eval_count'], toMs(last['eval_duration'])),
    loadMs: toMs(last['load_duration']),
  });
}

function toRates(counts: {
  prompt: number | undefined;
  completion: number | undefined;
  loadMs: number | undefined;
}): TokenRates | undefined {
  const { prompt, completion, loadMs } = counts;
  if (prompt === undefined && completion === undefined) return undefined;
  return {
    ...(prompt !== undefined && { promptPerSecond: prompt }),
    ...(completion !== undefined && { completionPerSecond: completion }),
    ...(loadMs !== undefined && { loadMs }),
    source: 'server',
  };
}

/** Only the generation can be measured: the time before the first piece includes the network as well as the prompt. */
function measured({ usage, ledger, firstTokenMs }: MeasuredRun): TokenRates | undefined {
  const last = ledger.at(-1);
  if (!last || firstTokenMs === undefined) return undefined;
  const writingMs = last.endMs - firstTokenMs;
  // The rest of a reply that came in one piece was only read, not written, in this time.
  if (writingMs < MIN_WRITING_MS) return undefined;
  // Measuring starts when the first token has arrived, so that one does not count.
  const completion = perSecond((usage.completionTokens ?? 0) - 1, writingMs);
  return completion === undefined ? undefined : { completionPerSecond: completion, source: 'measured' };
}

/** Tokens per second with three significant digits; more would be noise. */
function perSecond(tokens: unknown, durationMs: unknown): number | undefined {
  if (typeof tokens !== 'number' || typeof durationMs !== 'number') return undefined;
  if (!(tokens > 0) || !(durationMs > 0)) return undefined;
  const rate = (tokens * 1000) / durationMs;
  return Number.isFinite(rate) ? Number(rate.toPrecision(3)) : undefined;
}

const toMs = (nanoseconds: unknown): number | undefined =>
  typeof nanoseconds === 'number' ? nanoseconds / NS_PER_MS : undefined;

/** The response itself, or the last document of a stream that contains times. */
function lastDocument(body: string): Record<string, unknown> | undefined {
  // Most servers report no times, and a reply is not parsed once more to learn that.
  if (!/"(?:timings|\w+_duration)"/.test(body)) return undefined;
  const whole = parseRecord(body);
  if (whole) return whole;
  let end = body.length;
  while (end > 0 && end > body.length - MAX_READ) {
    const start = body.lastIndexOf('\n', end - 1) + 1;
    const document = parseRecord(body.slice(start, end).replace(/^data:\s*/, ''));
    if (document && ('timings' in document || 'eval_duration' in document)) return document;
    end = start - 1;
  }
  return undefined;
}
