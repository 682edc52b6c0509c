// What a protocol side hands to the socket side: status, headers and texts, nothing more.
export interface WireReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** One piece is sent with its length; several are sent chunked, one write each. */
  pieces: readonly string[];
  isStreamed: boolean;
  /** Milliseconds before the headers. */
  delayMs: number;
  /** `silent`: nothing is ever sent. `cut`: the connection ends about half-way through the body. @default none */
  fault?: 'silent' | 'cut' | undefined;
  /** Called once, when the answer is sent or its caller is gone. */
  end?: ((isDelivered: boolean) => void) | undefined;
}

/** What a protocol side may know of a request. Header names are in lower case. */
export interface WireRequest {
  method: string;
  /** Without the query. */
  path: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** Makes the parts of a reply that are not computed: ids and times. */
export interface ReplyMint {
  /** 32 characters of [A-Za-z0-9]. */
  newId: () => string;
  now: () => Date;
}

export function toWireReply(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
): WireReply {
  return { status, headers, pieces: [body], isStreamed: false, delayMs: 0 };
}

/** The reply that never comes: its connection stays open until the caller leaves. */
export function toSilentReply(end: WireReply['end']): WireReply {
  return { status: 200, headers: {}, pieces: [], isStreamed: false, delayMs: 0, fault: 'silent', end };
}

/** Text in the pieces a stream brings it in: one word at a time. */
export function splitWords(text: string): string[] {
  return text.match(/\s*\S+(?:\s+$)?/g) ?? (text === '' ? [] : [text]);
}
