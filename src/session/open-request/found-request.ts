// What is found in a text from elsewhere: a request, and the reply to it. Independent of protocols and of playgrounds.
import type { NeutralRequest } from '../../types';

export interface FoundRequest {
  /** What tells it from the others of the same source, for a list. */
  title?: string;
  method?: string;
  /** A path alone where the source names no server; absent where it names neither. */
  url?: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** JSON text. '' when `neutral` has the request. */
  body: string;
  /** The request of code for our own library, and the class of its provider. */
  neutral?: Omit<NeutralRequest, 'isStreamed'> & { providerClass: string };
  /** The text of a playground, which needs no translation. */
  playground?: string;
  reply?: FoundReply;
  /** What of the source is not in the request; each a phrase for people. */
  leftOut: readonly string[];
}

/** An answer over HTTP. */
export interface FoundReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** In milliseconds since the epoch. */
  startedAt?: number | undefined;
  durationMs?: number | undefined;
}

/** A text in which a request is looked for. */
export interface SourceText {
  text: string;
  /** Its value if it is JSON. */
  json: unknown;
}

/** A kind of text that contains requests. */
export interface RequestSource {
  id: string;
  /** What it is, for people. */
  title: () => string;
  /** How sure it is that the text is of this kind: 0 not at all, 1 it may be, 2 it looks so, 3 nothing else looks so. */
  reads: (source: SourceText) => 0 | 1 | 2 | 3;
  /** @throws UnreadRequest which says what is missing */
  read: (source: SourceText) => FoundRequest[];
}

/** Why a text gives no request, in words for people that never quote the text, since it may contain a key. */
export class UnreadRequest extends Error {
  override readonly name = 'UnreadRequest';
  /** What to do next. */
  readonly next: string;

  constructor(what: string, next: string) {
    super(what);
    this.next = next;
  }
}
