// What is found in a run: what is so, how it is known, what to do about it, and what one click does. JSON-safe: it is stored
// with the run and carried out by whoever has the document.

/** Where more of it is shown. */
export type InspectorTab = 'reply' | 'tool-calls' | 'rescue' | 'attempts' | 'wire';

/** One thing that was found in a run. */
export interface Finding {
  /** Stable: one a cause. Absent in what an earlier version has stored, and for embeddings. */
  cause?: FindingCause | undefined;
  severity: 'error' | 'warning' | 'info';
  /** What is so. Text between backticks is code. */
  what: string;
  /** What it is concluded from, as it stood in the request or the reply. */
  evidence?: FindingEvidence[] | undefined;
  /** What to do about it. */
  next?: string | undefined;
  /** The tab of the inspector that shows it. */
  tab?: InspectorTab | undefined;
  /** The best one first. */
  remedies?: Remedy[] | undefined;
}

/** One place that a finding is concluded from. */
export interface FindingEvidence {
  /** Such as `request, /tools` or `reply, characters 24 to 63`. Text between backticks is code. */
  place: string;
  /** As it stood there, at most 200 characters. */
  quote: string;
}

/** What a finding is about, one word a cause. */
export type FindingCause =
  // of a call
  | 'unknown-tool'
  | 'invalid-json'
  | 'schema'
  | 'text-for-list'
  | 'repeated-id'
  | 'call-as-text'
  | 'damaged-call'
  | 'left-as-text'
  | 'call-in-reasoning'
  | 'call-in-code'
  | 'leftover-markup'
  | 'reasoning-in-text'
  | 'unread-call'
  // of none
  | 'rescue-off'
  | 'choice-none'
  | 'choice-ignored'
  | 'finish-without-call'
  | 'nothing-arrived'
  | 'nothing-offered'
  | 'tools-not-sent'
  | 'model-without-tools'
  | 'model-with-tools'
  | 'model-untold'
  | 'server-without-tools'
  | 'ollama-v1'
  | 'no-call'
  // of room
  | 'prompt-cut'
  | 'prompt-too-long'
  | 'context-too-small'
  | 'context-full'
  | 'context-fits'
  | 'context-limit'
  | 'token-limit'
  // of the request
  | 'no-such-model'
  | 'history-replaced'
  | 'sampling-dropped'
  | 'raw-replaced'
  | 'attempts';

/** What one click does: an edit of the document and, for the last reply of a lane, the same step once more. Data alone. */
export type Remedy =
  | { kind: 'rescue-on' }
  | { kind: 'tool-choice'; choice: 'auto' | 'required' }
  | { kind: 'sampling'; key: 'temperature' | 'maxTokens' | 'numCtx'; value: number }
  /** A place in the lane's `raw`. Without a value it is taken out. */
  | { kind: 'raw'; path: string[]; value?: number | boolean | undefined }
  /** The same server by its other protocol, with a context size that it then takes. */
  | { kind: 'connection'; connectionId: string; label: string; numCtx?: number | undefined }
  | { kind: 'offer-tool'; tool: string }
  /** A new one of this name; its parameters are those that the model gave. */
  | { kind: 'add-tool'; tool: string }
  | { kind: 'rename-tool'; tool: string; to: string };
