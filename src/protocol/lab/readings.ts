// Result of reading a stored reply with other options: its calls, its content, and what was rejected. JSON-safe and
// redacted.
import type { Verdict } from '../outcome';

/** Options for reading a stored reply again. Nothing is sent. */
export interface ReadingOptions {
  rescueToolCalls: boolean;
  /** Id of the only format to read with. Absent: all formats. */
  format?: string | undefined;
  /** `offered`: the tools of the run. `current`: the tools that the playground offers now. */
  tools: 'offered' | 'current' | 'none';
}

export interface Reading {
  /** The content that would enter the conversation; at most 20,000 UTF-16 code units. */
  content: string;
  /** Length of the whole content. */
  length: number;
  calls: ReadingCall[];
  /** Texts that looked like calls and were left as text. */
  rejected: { format: string; reason: string; detail: string }[];
  /** Number of calls beyond the listed ones. */
  omittedCalls: number;
}

export interface ReadingCall {
  name: string;
  arguments: unknown;
  /** Id of the format; absent for a native call. */
  format?: string | undefined;
}

export interface ReadingPair {
  /** The reading at the time when the reply arrived. */
  before: Reading;
  after: Reading;
  /** Whether both readings have the same content, calls and rejections. */
  isSame: boolean;
  /** Verdict of the reading `after`. */
  verdict: Verdict['kind'];
  /** The formats that can be chosen for reading. */
  formats: { id: string; title: string }[];
}
