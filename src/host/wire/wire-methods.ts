// The page's requests about finished runs that need the editor.
import type { RequestHandlers } from '../../protocol';

/** Requests that are handled by the lazily loaded part. */
export const WIRE_METHODS = [
  'wire/open',
  'wire/copy',
  'prompt/open',
  'run/compare',
  'run/export',
  'reading/compare',
  'tool/compare-reduced',
  'evaluation/diff',
  'evaluation/export',
  'server/defaults',
  'server/model',
] as const;
export type WireHandlers = Pick<RequestHandlers, (typeof WIRE_METHODS)[number]>;
