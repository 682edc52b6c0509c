// Findings about a run: what is the case, the evidence for it, what to do about it, and remedies that one click applies.
// JSON-safe: findings are stored with the run, and remedies are applied by whoever has the document.
import type { SamplingParams } from './sampling';

/** The tab of the inspector that shows more about a finding. */
export type InspectorTab = 'reply' | 'tool-calls' | 'rescue' | 'attempts' | 'wire';

/** One thing that was found in a run. */
export interface Finding {
  /** Stable, one for each cause. Absent in findings of embeddings and in those stored by earlier versions. */
  cause?: FindingCause | undefined;
  severity: 'error' | 'warning' | 'info';
  /** What is the case. Text between backticks is code. */
  what: string;
  /** Places in the request or reply from which it is concluded. */
  evidence?: FindingEvidence[] | undefined;
  /** What to do about it. */
  next?: string | undefined;
  /** The tab of the inspector that shows it. */
  tab?: InspectorTab | undefined;
  /** The best one first. */
  remedies?: Remedy[] | undefined;
}

/** One place from which a finding is concluded. */
export interface FindingEvidence {
  /** Such as `request, /tools` or `reply, characters 24 to 63`. Text between backticks is code. */
  place: string;
  /** The text at that place, at most 200 characters. */
  quote: string;
}

/** The subject of a finding, one name for each cause. */
export type FindingCause =
  // about a call
  | 'unknown-tool'
  | 'nameless-call'
  | 'markup-in-name'
  | 'invalid-json'
  | 'lost-arguments'
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
  // about a missing call
  | 'rescue-off'
  | 'choice-none'
  | 'choice-ignored'
  | 'finish-without-call'
  | 'nothing-arrived'
  | 'empty-reply'
  | 'only-reasoning'
  | 'reply-filtered'
  | 'nothing-offered'
  | 'tools-not-sent'
  | 'model-without-tools'
  | 'model-with-tools'
  | 'model-untold'
  | 'server-without-tools'
  | 'ollama-v1'
  | 'no-call'
  // about context size and token limits
  | 'prompt-cut'
  | 'prompt-too-long'
  | 'context-too-small'
  | 'context-full'
  | 'context-fits'
  | 'context-limit'
  | 'token-limit'
  | 'untold-cut'
  | 'no-finish-reason'
  | 'no-stream-end'
  // about the request
  | 'no-such-model'
  | 'refused-tool'
  | 'refused-messages'
  | 'refused-parameter'
  | 'thinking-or-choice'
  | 'no-stored-response'
  | 'history-replaced'
  | 'sampling-dropped'
  | 'raw-replaced'
  | 'request-changed'
  | 'attempts';

/** What one click does: edits the document and, for the last reply of a lane, requests it again. Pure data. */
export type Remedy =
  | { kind: 'rescue-on' }
  | { kind: 'tool-choice'; choice: 'auto' | 'required' }
  | { kind: 'sampling'; key: 'temperature' | 'maxTokens' | 'numCtx'; value: number }
  /** Removes a sampling parameter of the lane. */
  | { kind: 'leave-out'; key: keyof SamplingParams }
  /** Sets a path in the lane's `raw`; without a value, removes it. */
  | { kind: 'raw'; path: string[]; value?: number | boolean | undefined }
  /** Switches to the connection that uses the same server's other protocol, with a context size that takes effect there. */
  | { kind: 'connection'; connectionId: string; label: string; numCtx?: number | undefined }
  | { kind: 'offer-tool'; tool: string }
  /** Adds a tool of this name, with the arguments of the model's call as parameters. */
  | { kind: 'add-tool'; tool: string }
  | { kind: 'rename-tool'; tool: string; to: string };
