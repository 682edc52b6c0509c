// What was read from the text of a reply, and what was left as text and why. Offsets are UTF-16 code units of that text.
import type { ProviderToolCall } from './tool';

/** `marker`: a tag or token with no other use. `label`: a labelled fence or line. `shape`: only the form of the value. */
export type RescueEvidence = 'marker' | 'label' | 'shape';

/** One damage that was repaired while reading. */
export interface RescueRepair {
  /** Name of the kind of damage, such as `missing-close-tag` or `trailing-comma`. */
  kind: string;
  /** Offset in the text. */
  at: number;
  note?: string | undefined;
}

/** A tool call that was read from the text of a reply. */
export interface RescuedCall extends ProviderToolCall {
  source: 'rescued';
  /** Id of the format, such as `hermes-json`. */
  format: string;
  evidence: RescueEvidence;
  /** The name as written in the text; `name` is the exact name of the offered tool. */
  rawName: string;
  /** Offsets of the whole call, including its wrappers; `end` is exclusive. */
  start: number;
  end: number;
  repairs: RescueRepair[];
  /** Violations of the schema, and keys that were written twice; `path` is a JSON Pointer. Absent when there are none. */
  schemaIssues?: { path: string; message: string }[] | undefined;
}

/** Something that looked like a call and was left as text. */
export interface RescueRejection {
  /** Id of the format that it looked like. */
  format: string;
  /** Offsets in the text; `end` is exclusive. */
  start: number;
  end: number;
  /** A stable code, such as `unknown-tool`, `truncated` or `example`. */
  reason: string;
  /** One sentence for a person. */
  detail: string;
  /** The tool name in the text, if one could be read. */
  name?: string | undefined;
  /** Offered tools with the most similar names; a suggestion only. */
  nearest?: string[] | undefined;
  /** What would make it a call. */
  hint?: string | undefined;
}

/** Everything that was read from the text of a reply, and everything that was left as text. */
export interface RescueReport {
  /** All calls, in the order of the text. */
  calls: RescuedCall[];
  /** The text without the accepted calls, their wrappers and closed reasoning, trimmed. */
  content: string;
  /** The content of closed reasoning blocks. */
  reasoning?: string | undefined;
  rejected: RescueRejection[];
}
