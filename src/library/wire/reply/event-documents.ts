// Reads the JSON documents of an event stream, and recognises what comes in their place: an error, one whole document, or
// what is no JSON. Independent of protocols.
import { isErrorDocument, tellsError } from '../../transport/answer/error-body';
import { StreamFailure } from '../../transport/client/stream-reader';
import type { JsonRecord } from '../../util/json';
import { isRecord, parseJson } from '../../util/json';
import type { TextPath, Unread } from '../../util/similar-json';
import { SimilarJson } from '../../util/similar-json';
import { isBegun } from './json-extent';
import { checkDocument } from './reply-limit';
import { isServerError, toFormatFailure } from './server-words';
import { END_MARK, ServerSentEvents, withoutEndMark } from './server-sent-events';
import { TextLines } from './text-lines';

/** What a protocol makes of the documents. */
export interface DocumentReader {
  /** Receives the document of each event. @returns whether it is a part of a reply, which tells of no error then */
  read: (document: JsonRecord, event: string | undefined) => boolean;
  /** Receives the document that came instead of a stream. */
  readWhole: (document: unknown) => void;
  /** Receives the text of an error, redacted. */
  fail: (text: string) => void;
  /** Whether the reply has its end, so that what follows is ignored. */
  isDone: () => boolean;
  /** Whether a document can come instead of the next event. */
  isUnbegun: () => boolean;
}

export class EventDocuments {
  readonly #reader: DocumentReader;
  readonly #redact: (text: string) => string;
  readonly #events = new ServerSentEvents((data, event) => this.#read(data, event));
  readonly #lines = new TextLines((line) => this.#readLine(line), 'any');
  readonly #documents: SimilarJson;
  #hasEndMark = false;
  /** The lines of a response that is one document, although a stream was requested. */
  #whole: string[] | undefined;
  /** The first event that is no part of a reply and tells of an error. It means nothing if the reply ends in spite of it. */
  #complaint: string | undefined;
  /** Whether the stream has ended; what is read then had no blank line after it. */
  #isEnding = false;

  /**
   * @param redact Masks secrets in errors, because a server may repeat the key that it refuses.
   * @param read Paths of the texts that differ between the documents of one stream.
   * @param unread What else differs between them.
   */
  constructor(
    reader: DocumentReader,
    redact: (text: string) => string,
    read: readonly TextPath[],
    unread?: Unread,
  ) {
    this.#reader = reader;
    this.#redact = redact;
    this.#documents = new SimilarJson(read, unread);
  }

  /** Whether the mark `[DONE]` has come. */
  get hasEndMark(): boolean {
    return this.#hasEndMark;
  }

  readonly push = (chunk: Uint8Array): void => this.#lines.push(chunk);

  /**
   * @param findProblem Says what is missing of the reply; undefined when it is whole.
   * @throws StreamFailure
   */
  end(findProblem: (hasComplaint: boolean) => string | undefined): void {
    this.#isEnding = true;
    this.#lines.end();
    this.#events.end();
    if (this.#whole) return this.#takeWhole(withoutEndMark(this.#whole.join('\n')));
    const problem = findProblem(this.#complaint !== undefined);
    if (problem === undefined) return;
    if (this.#complaint !== undefined) return this.#reader.fail(this.#redact(this.#complaint));
    throw new StreamFailure('truncated', problem, { lastLine: this.#events.strayLine });
  }

  #readLine(line: string): void {
    if (this.#whole) this.#whole.push(line);
    else if (beginsDocument(line) && this.#reader.isUnbegun()) this.#whole = [line];
    else this.#events.line(line);
  }

  #takeWhole(text: string): void {
    checkDocument(text);
    const document = parseJson(text);
    if (isServerError(document)) this.#reader.fail(this.#redact(text));
    else if (document !== undefined) this.#reader.readWhole(document);
    else if (isBegun(text)) throw new StreamFailure('truncated', 'the document is incomplete');
    else throw new StreamFailure('format', 'The body is neither an event stream nor JSON.');
  }

  #read(data: string, event: string | undefined): void {
    if (this.#hasEndMark || this.#reader.isDone()) return;
    checkDocument(data);
    const document = this.#documents.parse(data);
    // Marks are checked only if parsing failed, because nearly every event is JSON.
    if (document === undefined && this.#isMark(data.trim())) return;
    if (isErrorDocument(document) || event === 'error') {
      this.#reader.fail(this.#redact(data));
      return;
    }
    if (isRecord(document)) {
      if (!this.#reader.read(document, event) && tellsError(document)) this.#complaint ??= data;
      return;
    }
    if (tellsError(document)) this.#complaint ??= data;
    if (this.#isEnding) throw new StreamFailure('truncated', 'the last event is incomplete');
    throw toFormatFailure('An event', this.#redact(data));
  }

  /** Whether the event is empty, or is the end mark. */
  #isMark(text: string): boolean {
    this.#hasEndMark ||= text === END_MARK;
    return this.#hasEndMark || text === '';
  }
}

/** The name of a field, as nearly every line begins with, is told by its first letter. */
const beginsDocument = (line: string): boolean =>
  line !== '' && !isLetter(line.charCodeAt(0)) && /^\s*[{[<]/.test(line);

const isLetter = (unit: number): boolean => unit >= 97 && unit <= 122;
