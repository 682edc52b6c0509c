// Reads Ollama's NDJSON stream: emits deltas, and assembles the document that an unstreamed reply would have been.
import type { ChatDelta, PartialReply } from '../../../types';
import type { StreamReader } from '../../transport/client/stream-reader';
import { StreamFailure } from '../../transport/client/stream-reader';
import type { JsonRecord } from '../../util/json';
import { hasMoreValues } from '../../util/count-values';
import { isRecord, parseJson, toCount, toRecord, toText } from '../../util/json';
import { pruneUndefined } from '../../util/prune-undefined';
import type { TextPath } from '../../util/similar-json';
import { SimilarJson } from '../../util/similar-json';
import { isBegun } from '../reply/json-extent';
import { checkCallCount, checkDocument, checkTextLength, REPLY_LIMIT } from '../reply/reply-limit';
import { readLocalHostContent } from './local-host-wire';
import { targetOf, toGivenText } from '../reply/native-calls';
import { isErrorDocument, tellsError } from '../../transport/answer/error-body';
import {
  readUnparsedRest,
  SERVER_PARSE_FAILURE,
  toFormatFailure,
  toServerFailure,
} from '../reply/server-words';
import { TextLines } from '../reply/text-lines';
import { toDelta, toPartial } from '../reply/to-delta';
import { toArgumentsText } from '../reply/tool-arguments';

/** The texts that differ between the objects of one stream. */
const TEXTS: readonly TextPath[] = [
  ['message', 'content'],
  ['message', 'thinking'],
];
const UNREAD_TEXTS: readonly TextPath[] = [['created_at']];

/** Whether a whole body has several objects, each on its line, of which the first does not end the reply. */
export function isObjectStream(text: string): boolean {
  const body = text.trim();
  const end = body.indexOf('\n');
  const line = body.slice(0, Math.max(0, end));
  const first = hasMoreValues(line, REPLY_LIMIT.values) ? undefined : parseJson(line);
  return isRecord(first) && first['done'] !== true;
}

export class LocalHostStream implements StreamReader {
  readonly #emit: (delta: ChatDelta) => void;
  readonly #redact: (text: string) => string;
  readonly #lines = new TextLines((line) => this.#read(line));
  readonly #documents = new SimilarJson(TEXTS, { texts: UNREAD_TEXTS });
  readonly #calls: unknown[] = [];
  #content = '';
  #thinking = '';
  /** Of content and reasoning. */
  #textLength = 0;
  #hasMessage = false;
  /** The last object of the stream, which has `done: true`. */
  #last: JsonRecord | undefined;
  /** The lines of a response that is one document over several lines, although a stream was requested. */
  #whole: string[] | undefined;
  /** The first object that is no part of a reply and tells of an error. It means nothing if the reply ends in spite of it. */
  #complaint: string | undefined;
  /** Whether the stream has ended; what is read then had no line end. */
  #isEnding = false;

  /** @param redact Masks secrets in errors before these are truncated, because half a secret is not found by its value. */
  constructor(emit: (delta: ChatDelta) => void, redact: (text: string) => string = (text) => text) {
    this.#emit = emit;
    this.#redact = redact;
  }

  readonly push = (chunk: Uint8Array): void => this.#lines.push(chunk);

  end(): void {
    this.#isEnding = true;
    this.#lines.end();
    const whole = this.#whole?.join('\n');
    if (whole !== undefined) {
      checkDocument(whole);
      this.#take(parseJson(whole), whole);
    }
    if (!this.#last && this.#complaint !== undefined) this.#takeError(this.#redact(this.#complaint));
    if (!this.#last) throw new StreamFailure('truncated', 'the stream ended without done');
  }

  isComplete(): boolean {
    return this.#last !== undefined;
  }

  partial(): PartialReply {
    const pieces = this.#calls.map((call) => {
      const { name, arguments: args } = targetOf(call);
      return { ...pruneUndefined({ name: toText(name) }), arguments: toGivenText(args) };
    });
    return toPartial(this.#content, this.#thinking, pieces);
  }

  /** The reply in the shape of an unstreamed one. */
  document(): unknown {
    const message = { content: this.#content, thinking: this.#thinking, tool_calls: this.#calls };
    return { ...this.#last, message: this.#hasMessage ? message : undefined };
  }

  #read(line: string): void {
    if (this.#last) return;
    checkDocument(line);
    const document = this.#whole ? undefined : this.#documents.parse(line);
    const isFirst = document === undefined && !this.#whole && !this.#hasMessage && isBegun(line);
    if (isFirst) this.#whole = [];
    if (this.#whole) this.#whole.push(line);
    else if (document !== undefined || line.trim() !== '') this.#take(document, line);
  }

  #take(document: unknown, text: string): void {
    if (isErrorDocument(document)) {
      this.#takeError(this.#redact(text));
      return;
    }
    if (!isRecord(document)) {
      if (this.#isEnding && isBegun(text))
        throw new StreamFailure('truncated', 'the last line is incomplete');
      throw toFormatFailure('A line', this.#redact(text));
    }
    if (tellsError(document)) this.#complaint ??= text;
    this.#hasMessage ||= isRecord(document['message']);
    const message = toRecord(document['message']);
    const { content, reasoning } = readLocalHostContent(message);
    this.#textLength += content.length + (reasoning?.length ?? 0);
    checkTextLength(this.#textLength);
    this.#content += content;
    this.#thinking += reasoning ?? '';
    if (content !== '' || reasoning !== undefined) this.#emit(toDelta(toText(content), reasoning));
    // If the runner parses the calls, the last object has all of them; if a template does, each has an object of its own
    // before it.
    for (const call of Array.isArray(message['tool_calls']) ? message['tool_calls'] : []) this.#add(call);
    if (document['done'] === true) this.#finish(document);
  }

  /**
   * A call that the server could not parse ends the reply, as in an unstreamed one: its text is what the model wrote.
   * @throws StreamFailure for any other error, and after native calls, which nobody should run then
   */
  #takeError(text: string): void {
    const rest = readUnparsedRest(text, this.#content);
    if (rest) {
      this.#content += rest;
      this.#emit({ content: rest });
    }
    if (rest === undefined || this.#calls.length > 0) throw toServerFailure(text);
    this.#hasMessage = true;
    this.#finish({ done: true, done_reason: SERVER_PARSE_FAILURE });
  }

  #add(call: unknown): void {
    const { id } = toRecord(call);
    const { name, arguments: args } = targetOf(call);
    this.#documents.keep();
    checkCallCount(this.#calls.length + 1);
    const index = this.#calls.push(call) - 1;
    this.#emit({
      toolCall: {
        index,
        ...pruneUndefined({ id: toText(id), name: toText(name) }),
        arguments: toArgumentsText(args),
      },
    });
  }

  #finish(document: JsonRecord): void {
    this.#last = document;
    const usage = pruneUndefined({
      promptTokens: toCount(document['prompt_eval_count']),
      completionTokens: toCount(document['eval_count']),
    });
    if (Object.keys(usage).length > 0) this.#emit({ usage });
  }
}
