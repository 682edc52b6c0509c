// How large a reply may be that is read, and the failure for a larger one. A reply is walked many times, by the rescue, the
// redaction, the diagnosis and the store, so it is counted once, before anything walks it. Independent of protocols.
import { StreamFailure } from '../../transport/client/stream-reader';
import { hasMoreValues } from '../../util/count-values';

export const REPLY_LIMIT = {
  /**
   * Of a whole document or of one event, in UTF-16 code units. Some servers send pictures of several megabytes beside the
   * text.
   */
  document: 16 * 1024 * 1024,
  /**
   * Of a whole document or of one event; the log probabilities of thousands of tokens need so many. They are parsed within
   * about 100 ms, and mostly nobody reads them.
   */
  values: 200_000,
  /** Content, reasoning and arguments together, in UTF-16 code units: about a million tokens, more than any model answers with. */
  text: 4 * 1024 * 1024,
  calls: 1_000,
  /** Texts, thoughts, calls and other parts of a reply that comes in parts. */
  parts: 20_000,
  /** In the arguments of all calls of a reply: what is copied, checked and stored within a tenth of a second. */
  argumentValues: 20_000,
} as const;

/** Refuses a document, or an event of a stream, that is too large to be parsed. @throws StreamFailure (`too-large`) */
export function checkDocument(text: string): void {
  const { values } = REPLY_LIMIT;
  checkDocumentLength(text.length);
  if (hasMoreValues(text, values)) throw tooLarge(values, 'values in one document');
}

/** The same for a text of which only the length is known yet. @throws StreamFailure (`too-large`) */
export function checkDocumentLength(length: number): void {
  if (length > REPLY_LIMIT.document) throw tooLarge(REPLY_LIMIT.document, 'characters in one document');
}

/** @throws StreamFailure (`too-large`) when a reply has more calls than are read */
export function checkCallCount(count: number): void {
  if (count > REPLY_LIMIT.calls) throw tooLarge(REPLY_LIMIT.calls, 'tool calls');
}

/** @throws StreamFailure (`too-large`) when a reply has more parts than are read */
export function checkPartCount(count: number): void {
  if (count > REPLY_LIMIT.parts) throw tooLarge(REPLY_LIMIT.parts, 'parts');
}

/** @param length Of content, reasoning and arguments together. @throws StreamFailure (`too-large`) */
export function checkTextLength(length: number): void {
  if (length > REPLY_LIMIT.text) throw tooLarge(REPLY_LIMIT.text, 'characters of text');
}

/** Such as `more than 1,000 tool calls`. */
export const moreThan = (limit: number, what: string): string =>
  `more than ${limit.toLocaleString('en-US')} ${what}`;

const tooLarge = (limit: number, what: string): StreamFailure =>
  new StreamFailure('too-large', `The reply has ${moreThan(limit, what)}.`);
