// What was read from a reply's text, and what was left alone and why. Offsets are UTF-16 code units of the original text.
import type { ProviderToolCall } from './tool';

/** `marker`: a tag or token with no other use. `label`: a labelled fence or line. `shape`: only the form of the value. */
export type RescueEvidence = 'marker' | 'label' | 'shape';

/** One thing that was damaged and read nevertheless. */
export interface RescueRepair {
  /** A name from the vocabulary of damage, such as `missing-close-tag` or `trailing-comma`. */
  kind: string;
  /** Where in the text. */
  at: number;
  note?: string | undefined;
}

/** A tool call that was read from the text of a reply. */
export interface RescuedCall extends ProviderToolCall {
  source: 'rescued';
  /** The format's id, such as `hermes-json`. */
  format: string;
  evidence: RescueEvidence;
  /** The name as it was written; `name` is the offered tool's exact name. */
  rawName: string;
  /** The whole emission, wrappers included. */
  start: number;
  end: number;
  repairs: RescueRepair[];
  schemaIssues?: { path: string; message: string }[] | undefined;
}

/** Something that looked like a call and was left as text. */
export interface RescueRejection {
  format: string;
  start: number;
  end: number;
  /** A stable word, such as `unknown-tool`, `truncated` or `example`. */
  reason: string;
  /** One sentence for a person. */
  detail: string;
  /** The name that was written, where one could be read. */
  name?: string | undefined;
  /** Offered tools with the most similar names; never called. */
  nearest?: string[] | undefined;
  /** What would make it a call. */
  hint?: string | undefined;
}

/** Everything that was found in the text of a reply, and everything that was left alone. */
export interface RescueReport {
  /** In text order; all of them. */
  calls: RescuedCall[];
  /** The text without the accepted calls, their wrappers and closed reasoning, trimmed. */
  content: string;
  /** What stood in closed reasoning blocks. */
  reasoning?: string | undefined;
  rejected: RescueRejection[];
}
