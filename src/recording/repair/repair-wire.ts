// What the repair has to know of a protocol: where the text and the calls of a reply are, and how calls are written.

export type JsonDocument = Record<string, unknown>;

/** A call as the program receives it. */
export interface ReturnedCall {
  id: string;
  name: string;
  arguments: unknown;
}

/** What one document of a stream means. */
export interface Part {
  /** A piece of the text of the reply. */
  text?: string | undefined;
  /** Whether it is a part of a native call. */
  isNative?: boolean;
  /** Whether the text of the reply, or of a part of it, is complete, and what follows only closes or repeats it. */
  isTextEnd?: boolean;
  /** Whether calls can only come before it, because it says why the reply ends. */
  isEnd?: boolean;
  finishReason?: string | undefined;
  /** Whether it is of a kind that is not repaired, such as one of several replies. */
  isForeign?: boolean;
}

/** How the replies of one protocol are rewritten. Each reply has an instance of its own. */
export interface RepairWire {
  /** Reads a document of a stream. Called once for each, in their order. */
  read: (document: JsonDocument) => Part;
  /** The document with another text; undefined when nothing would be left in it. */
  withText: (document: JsonDocument, text: string) => JsonDocument | undefined;
  /** The document without its native calls; undefined when nothing would be left in it. */
  withoutCalls: (document: JsonDocument) => JsonDocument | undefined;
  /** A document that contains only this text. @param model A document of the same stream, with a part of the same text. */
  toText: (text: string, model: JsonDocument) => JsonDocument;
  /**
   * The document with the number that it has now, or itself if nothing was added before it; absent where documents are not
   * numbered.
   */
  renumber?: (document: JsonDocument) => JsonDocument;
  /** Documents that contain the calls. @param model Any document of the same stream. */
  toCalls: (calls: readonly ReturnedCall[], model: JsonDocument) => JsonDocument[];
  /** A document between the end of the text and that of the reply, or that end, once the reply has these calls. */
  withEnd: (document: JsonDocument, text: string, calls: readonly ReturnedCall[]) => JsonDocument;
  /** A whole reply with its text replaced and these calls; undefined when it is of a kind that is not repaired. */
  rewrite: (document: JsonDocument, text: string, calls: readonly ReturnedCall[]) => JsonDocument | undefined;
}
