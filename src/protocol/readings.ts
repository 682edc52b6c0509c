// A reply that is read another way: what of it would be calls, what content, and why. JSON-safe and redacted.
import type { Verdict } from './view-models';

/** How a stored reply is to be read. Nothing is sent. */
export interface ReadingOptions {
  rescueToolCalls: boolean;
  /** Absent: all. */
  format?: string | undefined;
  /** `offered`: those of the run. `current`: those that the playground offers now. */
  tools: 'offered' | 'current' | 'none';
}

export interface Reading {
  /** What enters the conversation; at most 20,000 characters. */
  content: string;
  /** Of the whole text. */
  length: number;
  calls: ReadCall[];
  /** What looked like a call and was left as text. */
  rejected: { format: string; reason: string; detail: string }[];
  /** Calls beyond those that are listed. */
  omittedCalls: number;
}

export interface ReadCall {
  name: string;
  arguments: unknown;
  /** Absent for a native call. */
  format?: string | undefined;
}

export interface ReadingPair {
  /** As it was read when it came. */
  before: Reading;
  after: Reading;
  /** Whether the calls or the content differ. */
  isSame: boolean;
  /** What changed, in a word. */
  verdict: Verdict['kind'];
  /** The formats that can be chosen. */
  formats: { id: string; title: string }[];
}
