// What is known of a server's message: its cause, and the numbers and names that it holds.
import type { ServerName } from './server';

/** What a server's message is about. */
export type WordsCause =
  /** The server could not read the call that the model wrote. */
  | 'unread-call'
  /** The token limit cut the call off. */
  | 'cut-call'
  /** The model called a tool that was not offered. */
  | 'unknown-tool'
  /** Prompt, or prompt and reply, are longer than the context. */
  | 'context-overflow'
  /** The reply may be longer than the model writes. */
  | 'output-limit'
  /** A content filter refused the prompt before the model saw it. */
  | 'prompt-filter'
  | 'rate-limit'
  | 'quota'
  /** The template or the service refuses the order, the roles or the parts of the messages. */
  | 'refused-messages'
  | 'model-without-tools'
  | 'server-without-tools'
  | 'no-such-model'
  /** A tool: its schema, or its name. */
  | 'refused-schema'
  /** A parameter, or its value: the model does not take it. */
  | 'refused-parameter'
  /** Both thinking and a forced call. */
  | 'thinking-or-choice'
  /** The response that `previous_response_id` names. */
  | 'no-stored-response'
  /** A component of a vector is not a finite number. */
  | 'no-number'
  /** A text is too long to be embedded. */
  | 'long-text'
  /** Too many texts in one request for embeddings. */
  | 'many-texts'
  /** The server has a vector for each token, and none for the text. */
  | 'no-pooling'
  /** The model does not embed, or the server was not started for it. */
  | 'no-embeddings'
  /** Something else that no further attempt changes. */
  | 'refused-request';

/** Rules of templates and services for the messages of a request. */
export type MessageRule =
  | 'alternate'
  | 'system-first'
  | 'user-needed'
  | 'user-last'
  | 'results-answer-calls'
  | 'calls-need-results'
  | 'result-id'
  | 'reasoning-back'
  | 'content-needed'
  | 'known-role'
  | 'call-arguments';

/** What the table of server words knows about one message. JSON-safe. */
export interface FoundWords {
  /** Stable id of the wording. */
  id: string;
  /** Who says it; absent when several do. */
  server?: ServerName;
  cause: WordsCause;
  /** Of `refused-messages`: the rule that the messages break, where the words name one. */
  rule?: MessageRule;
  /** The words that were recognised, at most 200 characters. */
  quote: string;
  /** What they hold, such as `prompt` and `room`: see the entries of the table. */
  parts: Record<string, string>;
}
