// The hosted event stream → deltas, and the document that the same reply would have been in one piece.
import type { ChatDelta } from '../../types';
import { isErrorDocument, readErrorBody } from '../transport/error-body';
import type { StreamReader } from '../transport/stream-reader';
import { StreamFailure } from '../transport/stream-reader';
import { isRecord, parseJson, toRecord, toText } from '../util/json';
import { pruneUndefined } from '../util/prune-undefined';
import { readContent, readUsage } from './hosted-api-wire';
import { ServerSentEvents } from './server-sent-events';
import { TextLines } from './text-lines';
import { ToolCallDeltas } from './tool-call-deltas';

export class HostedApiStream implements StreamReader {
  readonly #emit: (delta: ChatDelta) => void;
  readonly #events = new ServerSentEvents((data) => this.#read(data));
  readonly #lines = new TextLines((line) => this.#readLine(line));
  readonly #calls = new ToolCallDeltas();
  #content = '';
  #reasoning = '';
  #model: string | undefined;
  #finishReason: string | undefined;
  #usage: unknown;
  #isDone = false;
  /** The lines of a server that answered in one piece all the same. */
  #whole: string[] | undefined;

  constructor(emit: (delta: ChatDelta) => void) {
    this.#emit = emit;
  }

  readonly push = (chunk: Uint8Array): void => this.#lines.push(chunk);

  end(): void {
    this.#lines.end();
    this.#events.end();
    if (this.#whole) this.#takeWhole(this.#whole.join('\n'));
    // servers that leave out [DONE] after a finish reason are complete; Ollama's /v1 ends without one when it failed
    else if (this.#finishReason === undefined) throw new StreamFailure('truncated', 'no finish reason came');
  }

  isComplete(): boolean {
    return this.#isDone;
  }

  partial(): string {
    return this.#content;
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
    const isFirst = !this.#whole && this.#finishReason === undefined && /^\s*[{[<]/.test(line);
    if (isFirst) this.#whole = [];
    if (this.#whole) this.#whole.push(line);
    else this.#events.line(line);
  }

  #takeWhole(text: string): void {
    const document = parseJson(text);
    if (isErrorDocument(document))
      throw new StreamFailure('document', readErrorBody(text).message ?? 'an error');
    if (document === undefined)
      throw new StreamFailure('format', 'The body is neither an event stream nor JSON.');
    this.#document = document;
  }

  #read(data: string): void {
    if (this.#isDone || data.trim() === '') return;
    if (data.trim() === '[DONE]') {
      this.#isDone = true;
      return;
    }
    const document = parseJson(data);
    if (isErrorDocument(document))
      throw new StreamFailure('document', readErrorBody(data).message ?? 'an error');
    if (!isRecord(document)) throw new StreamFailure('format', 'An event of the stream is not JSON.');
    this.#model ??= toText(document['model']);
    this.#takeUsage(document['usage'] ?? toRecord(document['x_groq'])['usage']);
    const choices = Array.isArray(document['choices']) ? document['choices'].map(toRecord) : [];
    // with n > 1 the choices come mixed; the first one is the reply
    const choice = choices.find(({ index }) => index === undefined || index === 0);
    if (choice) this.#takeChoice(choice);
  }

  #takeChoice(choice: Record<string, unknown>): void {
    this.#finishReason = toText(choice['finish_reason']) ?? this.#finishReason;
    const delta = toRecord(choice['delta'] ?? choice['message']);
    const { content, reasoning } = readContent(delta);
    this.#content += content;
    this.#reasoning += reasoning ?? '';
    if (content !== '' || reasoning !== undefined) {
      this.#emit(pruneUndefined({ content: toText(content), reasoning }));
    }
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
