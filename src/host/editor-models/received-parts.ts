// Reads the parts of a reply of the editor's model as they arrive, and keeps each with its time: the only evidence that there is.
// Knows the parts by their shape alone, because some exist at run time without a type. Independent of vscode.
import { t } from '@vscode/l10n';
import { Buffer } from 'node:buffer';
import { isRecord, parseJson, ProviderError } from '../../library';
import type { AttemptResponse, ChatDelta, ProviderToolCall, TokenUsage } from '../../types';

/** Limits of the kept lines and of the text of a reply, in UTF-16 code units. */
const MAX_KEPT = 8 * 1024 * 1024;
const MAX_TEXT = 4 * 1024 * 1024;
const MAX_CALLS = 1_000;
/** Length of the text of a data part that is kept. */
const MAX_DATA = 10_000;

type Part =
  | { type: 'text' | 'thinking'; value: string }
  | { type: 'call'; callId: string; name: string; input: unknown }
  | { type: 'data'; mimeType: string; bytes: number; text?: string }
  | { type: 'unknown'; members: string[] };

export class ReceivedParts {
  readonly #elapsedMs: () => number;
  readonly #emit: (delta: ChatDelta) => void;
  readonly #lines: string[] = [];
  /** Pairs, as in the record of a response: bytes so far, and milliseconds. */
  readonly #arrivals: number[] = [];
  #bytes = 0;
  #kept = 0;
  #omittedBytes = 0;
  #content = '';
  #reasoning = '';
  readonly #calls: ProviderToolCall[] = [];
  #usage: TokenUsage = {};
  isComplete = false;

  /** @param elapsedMs Milliseconds since the request. */
  constructor(elapsedMs: () => number, emit: (delta: ChatDelta) => void) {
    this.#elapsedMs = elapsedMs;
    this.#emit = emit;
  }

  /** @throws ProviderError (`response-too-large`) */
  add(received: unknown): void {
    const part = readPart(received);
    this.#keep(part);
    switch (part.type) {
      case 'text':
        this.#content += part.value;
        return this.#say({ content: part.value });
      case 'thinking':
        this.#reasoning += part.value;
        return this.#say({ reasoning: part.value });
      case 'call':
        return this.#addCall(part);
      case 'data':
        if (part.mimeType === 'usage') this.#usage = readUsage(part.text ?? '');
    }
  }

  /** What arrived so far, as the parts of a reply. */
  get reply(): { content: string; reasoning?: string; toolCalls: ProviderToolCall[]; usage: TokenUsage } {
    return {
      content: this.#content,
      ...(this.#reasoning !== '' && { reasoning: this.#reasoning }),
      toolCalls: this.#calls,
      usage: this.#usage,
    };
  }

  /** The parts as lines of JSON. There is neither a status nor a header. */
  get response(): AttemptResponse | undefined {
    if (this.#lines.length === 0 && !this.isComplete) return undefined;
    return {
      headers: {},
      body: this.#lines.join(''),
      isComplete: this.isComplete,
      ...(this.#omittedBytes > 0 && { omittedBytes: this.#omittedBytes }),
      arrivals: [...this.#arrivals],
    };
  }

  #keep(part: Part): void {
    const line = `${JSON.stringify(part)}\n`;
    const bytes = Buffer.byteLength(line);
    if (this.#kept + line.length > MAX_KEPT) {
      this.#omittedBytes += bytes;
      return;
    }
    this.#kept += line.length;
    this.#bytes += bytes;
    this.#lines.push(line);
    this.#arrivals.push(this.#bytes, Math.round(this.#elapsedMs()));
  }

  #say(delta: ChatDelta): void {
    if (this.#content.length + this.#reasoning.length > MAX_TEXT) throw tooLarge();
    this.#emit(delta);
  }

  #addCall({ callId, name, input }: Part & { type: 'call' }): void {
    if (this.#calls.length >= MAX_CALLS) throw tooLarge();
    const index = this.#calls.length;
    this.#calls.push({ id: callId, name, arguments: input, source: 'native' });
    this.#emit({ toolCall: { index, id: callId, name, arguments: JSON.stringify(input) } });
  }
}

const tooLarge = (): ProviderError =>
  new ProviderError('response-too-large', {
    what: t('The reply was not read to its end.'),
    why: t('It is larger than a reply may be.'),
    next: t('Lower the maximum of tokens, or ask for less.'),
  });

function readPart(received: unknown): Part {
  if (!isRecord(received)) return { type: 'unknown', members: [] };
  const { value, name, callId, input, mimeType, data } = received;
  if (typeof callId === 'string' && typeof name === 'string')
    return { type: 'call', callId, name, input: toJson(input) };
  if (typeof mimeType === 'string') return readData(mimeType, data);
  const text = Array.isArray(value) ? value.join('') : value;
  if (typeof text !== 'string') return { type: 'unknown', members: Object.keys(received).slice(0, 20) };
  // Only a part of thinking has an id or metadata beside its text; a text part has its value alone.
  const isThinking = 'id' in received || 'metadata' in received;
  return { type: isThinking ? 'thinking' : 'text', value: text };
}

/** What no JSON can hold is no argument of a call. */
function toJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value ?? {})) as unknown;
  } catch {
    return {};
  }
}

function readData(mimeType: string, data: unknown): Part {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array();
  const isText = mimeType === 'usage' || /^text\/|json$/.test(mimeType);
  return {
    type: 'data',
    mimeType: mimeType.slice(0, 200),
    bytes: bytes.length,
    ...(isText && bytes.length <= MAX_DATA && { text: Buffer.from(bytes).toString('utf8') }),
  };
}

/** The counts under the names that the editor's chat uses, which are OpenAI's. Not documented, so any of them may be missing. */
function readUsage(text: string): TokenUsage {
  const counts = parseJson(text);
  if (!isRecord(counts)) return {};
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = counts;
  const known = {
    promptTokens: counts['prompt_tokens'],
    completionTokens: counts['completion_tokens'],
    cachedTokens: isRecord(prompt) ? prompt['cached_tokens'] : undefined,
    reasoningTokens: isRecord(completion) ? completion['reasoning_tokens'] : undefined,
  };
  return Object.fromEntries(Object.entries(known).filter(([, count]) => Number.isInteger(count)));
}
