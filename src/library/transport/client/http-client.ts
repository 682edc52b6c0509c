// The interface of the HTTP client. Independent of undici; imports no code.
import type { Readable } from 'node:stream';

/** Time limit for opening a connection, in milliseconds. It is the only limit of the client. */
export const CONNECT_TIMEOUT_MS = 10_000;

export interface HttpRequest {
  /** A URL, or its parts exactly as they are to be sent. */
  target: Pick<URL, 'origin' | 'pathname' | 'search'>;
  method: string;
  /** By name; or names and values in turn, where one name may occur several times. */
  headers: Record<string, string> | string[];
  /** A stream is read as fast as the server takes it. */
  body: Buffer | Readable | undefined;
}

/** Receives a response as it arrives. The last call is `onEnd` or `onError`; after an abort, there are no more calls. */
export interface AnswerHandler {
  onHeaders: (status: number, headers: Record<string, string | string[] | undefined>) => void;
  /** The handler may keep the chunk. */
  onData: (chunk: Buffer) => void;
  onEnd: () => void;
  /**
   * @param isUnanswered Whether this was a reused connection that was closed before the first byte of the response. The next
   * request opens a new one.
   */
  onError: (error: Error, isUnanswered: boolean) => void;
}

/** Controls a request in progress. Does nothing once the request has ended. */
export interface HttpControl {
  /** Closes the socket, or stops opening the connection for this request. */
  abort: () => void;
  /** Stops reading until `resume`; a chunk that was read already may still arrive. */
  pause: () => void;
  resume: () => void;
}

/** The control of a request that was not sent. */
export const NOT_SENT: HttpControl = {
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};

export interface HttpClient {
  /**
   * Never throws, follows no redirects, and has no time limit except for opening a connection. May call the handler before
   * it returns.
   */
  send(request: HttpRequest, handler: AnswerHandler): HttpControl;
  destroy(): Promise<void>;
}
