// What the repair has to know of a protocol: where the text and the calls of a reply are, and how calls are written.

export type JsonDocument = Record<string, unknown>;

/** A call as the program receives it. */
export interface ReturnedCall {
  id: string;
  name: string;
  arguments: unknown;
}

/** The text of a reply, and what it becomes. */
export interface NewText {
  from: string;
  to: string;
}

/** Repaired arguments by the index of their call among the native calls of a reply. */
export type Fixes = ReadonlyMap<number, unknown>;

/** What one document of a stream means. */
export interface Part {
  /** A piece of the text of the reply. */
  text?: string | undefined;
  /** Whether it opens the text, without a piece of it. */
  isTextStart?: boolean;
  /** Whether it is a part of a native call. */
  isNative?: boolean;
  /** Whether the text of the reply, or of a part of it, is complete, and what follows only closes or repeats it. */
  isTextEnd?: boolean;
  /** Whether calls can only come before it, because it says why the reply ends. */
  isEnd?: boolean;
  finishReason?: string | undefined;
  /** Whether it is of a kind that is not repaired, such as one of several replies. */
  isForeign?: boolean;
  /** Whether it is only there to keep the connection open. */
  isKeepAlive?: boolean;
}

/** How the replies of one protocol are rewritten. Each reply has an instance of its own. */
export interface RepairWire {
  /** Reads a document of a stream. Called once for each, in their order. */
  read: (document: JsonDocument) => Part;
  /** The document with another text; undefined when nothing would be left in it. */
  withText: (document: JsonDocument, text: string) => JsonDocument | undefined;
  /** A document that contains only this text. @param model A document of the same stream, with a part of the same text. */
  toText: (text: string, model: JsonDocument) => JsonDocument;
  /**
   * Leaves a text out that has become empty; absent where it is not opened. Called at its end.
   * @param opening The documents that open it.
   * @returns whether that is possible; `withEnd` then leaves out what closes it
   */
  leaveOut?: (opening: readonly JsonDocument[]) => boolean;
  /**
   * The document with the number that it has now, or itself if nothing was added before it; absent where documents are not
   * numbered.
   */
  renumber?: (document: JsonDocument) => JsonDocument;
  /** Documents that contain the calls. @param model Any document of the same stream. */
  toCalls: (calls: readonly ReturnedCall[], model: JsonDocument) => JsonDocument[];
  /**
   * A document between the end of the text and that of the reply, or that end, once the reply has these calls; undefined for
   * what is left out.
   */
  withEnd: (document: JsonDocument, text: string, calls: readonly ReturnedCall[]) => JsonDocument | undefined;
  /** A whole reply with another text and these calls; undefined when it is of a kind that is not repaired. */
  rewrite: (
    document: JsonDocument,
    text: NewText,
    calls: readonly ReturnedCall[],
  ) => JsonDocument | undefined;
  /**
   * Native calls with repaired arguments, each at its place. What cannot be told apart stays as it is.
   * @param documents Those of a stream from its first native call to its end, or one whole reply.
   * @returns as many documents; those without changes themselves
   */
  withArguments: (documents: readonly JsonDocument[], fixes: Fixes) => JsonDocument[];
  /** Follows the last of these documents in a stream; absent where nothing does. */
  ending?: JsonDocument;
}
