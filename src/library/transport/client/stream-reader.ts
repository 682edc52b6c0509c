// The interface that reads a body as it arrives, and the error by which it says that the body is faulty. Independent of
// protocols.
import type { FoundWords, PartialReply } from '../../../types';

export interface StreamReader {
  /** Receives the next piece of the body, which may be cut anywhere. @throws StreamFailure */
  push: (chunk: Uint8Array) => void;
  /** Called when the body has ended without a connection error. @throws StreamFailure when the body is incomplete */
  end: () => void;
  /** Whether the end mark has arrived. What happens to the connection afterwards does not matter. */
  isComplete?: () => boolean;
  /** What has arrived so far, for the error of a failed call. */
  partial: () => PartialReply;
}

/** Message of a stream that has its end mark, but is not complete without the reason. */
export const NO_FINISH_REASON = 'the end mark came without a finish reason';

/** What a stream says of its failure beside the message. */
export interface ToldFailure {
  /** The code that an error document names, such as `500`. */
  code?: string | undefined;
  /** The status that stands for its code or type; absent when neither has one. */
  status?: number | undefined;
  /** What the table of server words knows about the message of an error document. */
  words?: FoundWords | undefined;
  /** The last line of a truncated stream, if it is no part of one. */
  lastLine?: string | undefined;
}

/**
 * `truncated`: no end mark. `document`: an error document in the stream. `format`: violates the protocol. `too-large`: more
 * than is read; the message is a sentence.
 */
type StreamFailureKind = 'truncated' | 'document' | 'format' | 'too-large';

export class StreamFailure extends Error {
  readonly kind: StreamFailureKind;
  readonly told: ToldFailure;
  constructor(kind: StreamFailureKind, message: string, told: ToldFailure = {}) {
    super(message);
    this.name = 'StreamFailure';
    this.kind = kind;
    this.told = told;
  }
}
