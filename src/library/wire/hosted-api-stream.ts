// The hosted event stream → deltas, and the document that the same reply would have been in one piece.
import type { ChatDelta, PartialReply } from '../../types';
import type { StreamReader } from '../transport/stream-reader';
import { StreamFailure } from '../transport/stream-reader';
import { isRecord, parseJson, toRecord, toText } from '../util/json';
import { pruneUndefined } from '../util/prune-undefined';
import { readContent, readUsage } from './hosted-api-wire';
import { ServerSentEvents } from './server-sent-events';
import { isServerError, toServerFailure } from './server-words';
import { TextLines } from './text-lines';
import { toDelta, toPartial } from './to-delta';
import { ToolCallDeltas } from './tool-call-deltas';

export class HostedApiStream implements StreamReader {
  readonly #emit: (delta: ChatDelta) => void;
  readonly #redact: (text: string) => string;
  readonly #events = new ServerSentEvents((data, event) => this.#read(data, event));
  readonly #lines = new TextLines((line) => this.#readLine(line), 'any');
  readonly #calls = new ToolCallDeltas();
  #content = '';
  #reasoning = '';
  #model: string | undefined;
  #finishReason: string | undefined;
  #usage: unknown;
  #isDone = false;
  /** The chunk came that stands behind the last choice and tells only the usage. */
  #hasLastUsage = false;
  /** The lines of a server that answered in one piece all the same. */
  #whole: string[] | undefined;

  /** @param redact For what an error says: a server repeats the key that it refuses. */
  constructor(emit: (delta: ChatDelta) => void, redact: (text: string) => string = (text) => text) {
    this.#emit = emit;
    this.#redact = redact;
  }

  readonly push = (chunk: Uint8Array): void => this.#lines.push(chunk);

  end(): void {
    this.#lines.end();
    this.#events.end();
    if (this.#whole) this.#takeWhole(this.#whole.join('\n'));
    // servers that leave out [DONE] after a finish reason are complete; Ollama's /v1 ends without one when it failed
    else if (this.#finishReason === undefined) throw new StreamFailure('truncated', 'no finish reason came');
  }

  /**
   * `[DONE]`; or the chunk without choices that tells the usage, since nothing but `[DONE]` comes behind it. A finish reason
   * alone is no end mark: the usage comes behind it, and some relays put it on pieces in the middle. A server that then
   * neither says more nor closes is waited for, as all else is, until the caller's limit or abort.
   */
  isComplete(): boolean {
    return this.#isDone || this.#hasLastUsage;
  }

  partial(): PartialReply {
    return toPartial(this.#content, this.#reasoning, this.#calls.pieces());
  }

  #document: unknown;
  /** In the shape of an unstreamed reply. */
  document(): unknown {
    const message = {
      content: this.#content,
      reasoning_content: this.#reasoning,
      tool_calls: this.#calls.toolCalls(),
    };
    const choice = { finish_reason: this.#finishReason, message };
    return this.#document ?? { model: this.#model, usage: this.#usage, choices: [choice] };
  }

  #readLine(line: string): void {
    const isEvent = line === '' || line.startsWith('data:');
    const isFirst = !isEvent && !this.#whole && this.#finishReason === undefined && /^\s*[{[<]/.test(line);
    if (isFirst) this.#whole = [];
    if (this.#whole) this.#whole.push(line);
    else this.#events.line(line);
  }

  #takeWhole(text: string): void {
    const document = parseJson(text);
    if (isServerError(document)) throw this.#toFailure(text);
    if (document === undefined)
      throw new StreamFailure('format', 'The body is neither an event stream nor JSON.');
    this.#document = document;
  }

  #read(data: string, event: string | undefined): void {
    if (this.#isDone) return;
    const document = parseJson(data);
    // what is no JSON is looked at more closely: nearly every event is
    if (document === undefined && this.#isMark(data.trim())) return;
    if (isServerError(document) || event === 'error') throw this.#toFailure(data);
    if (!isRecord(document)) throw new StreamFailure('format', 'An event of the stream is not JSON.');
    this.#model ??= toText(document['model']);
    const { usage, x_groq: groq } = document;
    if (usage !== undefined || groq !== undefined) this.#takeUsage(usage ?? toRecord(groq)['usage']);
    const choices: unknown[] = Array.isArray(document['choices']) ? document['choices'] : [];
    // with n > 1 the choices come mixed; the first one is the reply
    const choice = choices.find(isOfFirst);
    if (choice !== undefined) this.#takeChoice(toRecord(choice));
    this.#hasLastUsage ||=
      choices.length === 0 && this.#finishReason !== undefined && isRecord(document['usage']);
  }

  /** Whether the event is empty, or the end mark. */
  #isMark(text: string): boolean {
    this.#isDone ||= text === '[DONE]';
    return this.#isDone || text === '';
  }

  /** Redacted before it is read: what is read is cut, and half a secret is not found by value. */
  #toFailure(text: string): StreamFailure {
    return toServerFailure(this.#redact(text));
  }

  #takeChoice(choice: Record<string, unknown>): void {
    this.#finishReason = toText(choice['finish_reason']) ?? this.#finishReason;
    const delta = toRecord(choice['delta'] ?? choice['message']);
    const { content, reasoning } = readContent(delta);
    this.#content += content;
    this.#reasoning += reasoning ?? '';
    if (content !== '' || reasoning !== undefined) this.#emit(toDelta(toText(content), reasoning));
    for (const entry of Array.isArray(delta['tool_calls']) ? delta['tool_calls'] : []) {
      this.#emit({ toolCall: pruneUndefined(this.#calls.add(entry)) as ChatDelta['toolCall'] });
    }
  }

  #takeUsage(usage: unknown): void {
    if (!isRecord(usage)) return;
    this.#usage = usage;
    this.#emit({ usage: readUsage(usage) });
  }
}

function isOfFirst(choice: unknown): boolean {
  const { index } = toRecord(choice);
  return index === undefined || index === 0;
}
