// What reads a body while it arrives, and how it says that the body is not what it should be. Knows no protocol.
import type { PartialReply } from '../../types';

export interface StreamReader {
  /** A piece of the body, cut anywhere. @throws StreamFailure */
  push: (chunk: Uint8Array) => void;
  /** The body ended without an error of the connection. @throws StreamFailure when it is not complete. */
  end: () => void;
  /** Whether the end mark has come: what the connection does afterwards harms nobody. */
  isComplete?: () => boolean;
  /** What has arrived, for the error that carries it. */
  partial: () => PartialReply;
}

/** `truncated`: no end mark. `document`: an error document in the stream. `format`: not what the protocol says. */
export class StreamFailure extends Error {
  readonly kind: 'truncated' | 'document' | 'format';
  /** What an error document says of its own status, such as `500`. */
  readonly serverCode: string | undefined;
  constructor(kind: 'truncated' | 'document' | 'format', message: string, serverCode?: string) {
    super(message);
    this.name = 'StreamFailure';
    this.kind = kind;
    this.serverCode = serverCode;
  }
}
