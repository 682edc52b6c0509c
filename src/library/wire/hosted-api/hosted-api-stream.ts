// Reads the hosted event stream: emits deltas, and assembles the document that an unstreamed reply would have been.
import type { ChatDelta, PartialReply } from '../../../types';
import type { StreamReader } from '../../transport/client/stream-reader';
import { NO_FINISH_REASON } from '../../transport/client/stream-reader';
import type { JsonRecord } from '../../util/json';
import { isRecord, toRecord, toText } from '../../util/json';
import { pruneUndefined } from '../../util/prune-undefined';
import type { TextPath } from '../../util/similar-json';
import { callsIn, isOfFirst, readContent, readUsage } from './hosted-api-wire';
import { checkCallCount, checkTextLength } from '../reply/reply-limit';
import { EventDocuments } from '../reply/event-documents';
import { ReasoningDeltas } from './reasoning-fields';
import { readUnparsedRest, SERVER_PARSE_FAILURE, toServerFailure } from '../reply/server-words';
import { toDelta, toPartial } from '../reply/to-delta';
import { ToolCallDeltas } from './tool-call-deltas';

const DELTA = ['choices', 0, 'delta'] as const;

/** The texts that differ between the chunks of one stream. */
const TEXTS: readonly TextPath[] = [
  [...DELTA, 'content'],
  [...DELTA, 'reasoning_content'],
  [...DELTA, 'reasoning'],
  [...DELTA, 'reasoning_details', 0, 'text'],
  [...DELTA, 'tool_calls', 0, 'function', 'arguments'],
];
/** Random characters that hide the length of the content (OpenAI, Mistral). */
const UNREAD_TEXTS: readonly TextPath[] = [['obfuscation'], ['p']];

export class HostedApiStream implements StreamReader {
  readonly #emit: (delta: ChatDelta) => void;
  readonly #events: EventDocuments;
  readonly #calls: ToolCallDeltas;
  readonly #fields = new ReasoningDeltas();
  #content = '';
  #reasoning = '';
  /** Of content, reasoning and arguments. */
  #textLength = 0;
  #model: string | undefined;
  #finishReason: string | undefined;
  /** The reason in the words of the provider behind OpenRouter, which may come without any other. */
  #nativeReason: string | undefined;
  #usage: unknown;
  /** Whether an error has ended the reply, of which the text counts. */
  #isCut = false;
  /** Whether the last chunk has arrived: it has only the usage and follows the last choice. */
  #hasLastUsage = false;
  /** Whether a chunk with a choice has arrived: an end mark alone is no reply. */
  #hasChoice = false;
  /** Whether the last chunk so far has the usage and no choice. */
  #endsInUsage = false;

  /**
   * @param redact Masks secrets in errors, because a server may repeat the key that it refuses.
   * @param offered Names of the offered tools.
   */
  constructor(
    emit: (delta: ChatDelta) => void,
    redact: (text: string) => string = (text) => text,
    offered: readonly string[] = [],
  ) {
    this.#emit = emit;
    const reader = {
      read: (document: JsonRecord) => this.#read(document),
      readWhole: (document: unknown) => this.#takeWhole(document),
      fail: (text: string) => this.#takeError(text),
      isDone: () => this.#isCut,
      isUnbegun: () => this.#finishReason === undefined,
    };
    this.#events = new EventDocuments(reader, redact, TEXTS, { texts: UNREAD_TEXTS });
    this.#calls = new ToolCallDeltas(offered);
  }

  readonly push = (chunk: Uint8Array): void => this.#events.push(chunk);

  end(): void {
    this.#events.end((hasComplaint) => {
      if (this.#finishReason !== undefined || (!hasComplaint && this.#isWhole())) return undefined;
      return this.#events.hasEndMark ? NO_FINISH_REASON : 'no finish reason came';
    });
  }

  /**
   * Some servers omit [DONE], others the finish reason; the usage alone follows only a whole reply too. Ollama's /v1 ends
   * without any of them when it failed.
   */
  #isWhole(): boolean {
    if (this.#finishReason !== undefined) return true;
    return this.#hasChoice && (this.#isDone || this.#endsInUsage) && !/error/i.test(this.#nativeReason ?? '');
  }

  /**
   * The stream ends with `[DONE]`, or with the chunk that has the usage and no choices, because only `[DONE]` follows it. A
   * finish reason alone is no end mark: the usage follows it, and some relays set it in the middle. If the server then
   * neither sends more nor closes, the call waits, as always, until the caller's timeout or abort.
   */
  isComplete(): boolean {
    return this.#isDone || this.#hasLastUsage;
  }

  get #isDone(): boolean {
    return this.#isCut || this.#events.hasEndMark;
  }

  partial(): PartialReply {
    return toPartial(this.#content, this.#reasoning, this.#calls.pieces());
  }

  #document: unknown;
  /** The reply in the shape of an unstreamed one. */
  document(): unknown {
    const fields = this.#fields.fields();
    const isInParts = this.#reasoning !== '' && Object.keys(fields).length === 0;
    const message = {
      content: isInParts ? toParts(this.#content, this.#reasoning) : this.#content,
      ...fields,
      tool_calls: this.#calls.toolCalls(),
    };
    const choice = { finish_reason: this.#finishReason, message };
    return this.#document ?? { model: this.#model, usage: this.#usage, choices: [choice] };
  }

  #takeWhole(document: unknown): void {
    this.#document = document;
    const { choices, usage } = toRecord(document);
    const choice: unknown = Array.isArray(choices) ? choices.find(isOfFirst) : undefined;
    if (choice !== undefined) this.#takeChoice(toRecord(choice));
    this.#takeUsage(usage);
  }

  /** @returns whether the document has choices */
  #read(document: JsonRecord): boolean {
    this.#model ??= toText(document['model']);
    const { usage, x_groq: groq } = document;
    if (usage !== undefined || groq !== undefined) this.#takeUsage(usage ?? toRecord(groq)['usage']);
    const choices: unknown[] = Array.isArray(document['choices']) ? document['choices'] : [];
    // With n > 1 the choices are interleaved; the first one is the reply.
    const choice = choices.find(isOfFirst);
    if (choice !== undefined) this.#takeChoice(toRecord(choice));
    this.#hasChoice ||= choice !== undefined;
    this.#endsInUsage = choices.length === 0 && isRecord(document['usage']);
    this.#hasLastUsage ||= this.#endsInUsage && this.#finishReason !== undefined;
    return choices.length > 0;
  }

  /**
   * A call that the server could not parse ends the reply, as in an unstreamed one: its text is what the model wrote.
   * @param text Redacted before it is read: reading truncates the text, and half a secret is not found by its value.
   * @throws StreamFailure for any other error, and after native calls, which nobody should run then
   */
  #takeError(text: string): void {
    const rest = readUnparsedRest(text, this.#content);
    if (rest) {
      this.#content += rest;
      this.#emit({ content: rest });
    }
    if (rest === undefined || this.#calls.pieces().length > 0) throw toServerFailure(text);
    this.#finishReason = SERVER_PARSE_FAILURE;
    this.#isCut = true;
  }

  #takeChoice(choice: Record<string, unknown>): void {
    this.#finishReason = toText(choice['finish_reason']) ?? this.#finishReason;
    this.#nativeReason = toText(choice['native_finish_reason']) ?? this.#nativeReason;
    const delta = toRecord(choice['delta'] ?? choice['message']);
    const { content, reasoning } = readContent(delta);
    this.#content += content;
    this.#reasoning += reasoning ?? '';
    this.#textLength += content.length + (reasoning?.length ?? 0);
    this.#fields.add(delta);
    if (content !== '' || reasoning !== undefined) this.#emit(toDelta(toText(content), reasoning));
    for (const entry of callsIn(delta)) {
      const piece = this.#calls.add(entry);
      checkCallCount(piece.index + 1);
      this.#textLength += piece.arguments?.length ?? 0;
      this.#emit({ toolCall: pruneUndefined(piece) as ChatDelta['toolCall'] });
    }
    checkTextLength(this.#textLength);
  }

  #takeUsage(usage: unknown): void {
    if (!isRecord(usage)) return;
    this.#usage = usage;
    this.#emit({ usage: readUsage(usage) });
  }
}

/** The content of a server that sends its reasoning as part of it (Mistral). */
const toParts = (text: string, thinking: string): object[] => [
  { type: 'thinking', thinking },
  { type: 'text', text },
];
