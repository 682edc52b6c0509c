// Runs rescue on generated replies until an invariant is violated; returns the shortest reply found that violates
// the same one.
import { makeInput } from './make-input';
import type { RescueInput } from './make-input';
import { findBrokenLaws } from './find-broken-laws';

export interface Failure {
  seed: number;
  laws: string[];
  input: RescueInput;
}

export interface FuzzOptions {
  seed: number;
  runs: number;
  /** Number of failures after which it stops. @default 1 */
  most?: number;
  onProgress?: (done: number) => void;
  /** Called with each failure as soon as it is found. */
  onFailure?: (failure: Failure) => void;
}

const PROGRESS_EVERY = 10_000;

export function fuzzRescue({ seed, runs, most = 1, onProgress, onFailure }: FuzzOptions): Failure[] {
  const failures: Failure[] = [];
  for (let run = 0; run < runs && failures.length < most; run += 1) {
    const input = makeInput(seed + run);
    const laws = findBrokenLaws(input);
    if (laws.length > 0) {
      const failure = { seed: seed + run, laws, input: shrink(input, laws) };
      failures.push(failure);
      onFailure?.(failure);
    }
    if ((run + 1) % PROGRESS_EVERY === 0) onProgress?.(run + 1);
  }
  return failures;
}

/** Removes pieces, large ones first, as long as one of the same invariants is violated. */
function shrink(input: RescueInput, laws: readonly string[]): RescueInput {
  const isBroken = (text: string): boolean =>
    findBrokenLaws({ ...input, text }).some((law) => laws.includes(law) || law.startsWith('it throws'));
  let { text } = input;
  for (let size = Math.ceil(text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < text.length;) {
      const shorter = text.slice(0, at) + text.slice(at + size);
      if (isBroken(shorter)) text = shorter;
      else at += size;
    }
  }
  return { ...input, text };
}

/** Describes a failure: what is violated, with which input, and how to reproduce it. */
export const describeFailure = ({ seed, laws, input }: Failure): string =>
  [
    `seed ${seed}: ${laws.join('; ')}`,
    `  text ${JSON.stringify(input.text)}`,
    `  tools ${input.tools.map(({ name }) => name).join(', ')}`,
    `  chunks ${input.chunks.join(', ')}${input.finishReason === undefined ? '' : `, finish reason ${input.finishReason}`}`,
  ].join('\n');
