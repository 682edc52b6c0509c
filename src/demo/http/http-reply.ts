// What a protocol passes to the HTTP server: status, headers and texts.
export interface HttpReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** A single piece is sent with its length; several are sent chunked, with one write each. */
  pieces: readonly string[];
  isStreamed: boolean;
  /** Milliseconds to wait before the headers. */
  delayMs: number;
  /** `silent`: nothing is ever sent. `cut`: the connection ends about half-way through the body. @default none */
  fault?: 'silent' | 'cut' | undefined;
  /** Called once, when the response is sent or the caller has disconnected. */
  end?: ((isDelivered: boolean) => void) | undefined;
}

/** What a protocol gets of a request. Header names are in lower case. */
export interface HttpRequest {
  method: string;
  /** Without the query. */
  path: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** Creates the parts of a reply that are not computed: ids and times. */
export interface ReplyMint {
  /** 32 characters of [A-Za-z0-9]. */
  newId: () => string;
  now: () => Date;
}

export function toHttpReply(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
): HttpReply {
  return { status, headers, pieces: [body], isStreamed: false, delayMs: 0 };
}

/** A reply that is never sent: its connection stays open until the caller disconnects. */
export function toSilentReply(end: HttpReply['end']): HttpReply {
  return { status: 200, headers: {}, pieces: [], isStreamed: false, delayMs: 0, fault: 'silent', end };
}

/** Splits a text into the pieces of a stream, one word each. */
export function splitWords(text: string): string[] {
  return text.match(/\s*\S+(?:\s+$)?/g) ?? (text === '' ? [] : [text]);
}
