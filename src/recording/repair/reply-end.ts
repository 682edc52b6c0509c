// Tells from the reason that a server gives whether calls of a reply count. Pure.

const WHOLE = new Set([
  'stop',
  'STOP',
  'COMPLETE',
  'end_turn',
  'eos',
  'eos_token',
  'function_call',
  'stop_sequence',
  'tool_calls',
]);
const CUT = new Set(['length', 'max_tokens', 'MAX_TOKENS', 'max_output_tokens']);

/** Whether the reply was cut by a limit. */
export const isCut = (reason: string | undefined): boolean => reason !== undefined && CUT.has(reason);

/**
 * Whether the reply ended by itself or by a limit. A reply that failed, was refused or is only paused has no calls that its
 * program should run.
 * @param reason Undefined where the server gives none.
 */
export const hasEnded = (reason: string | undefined): boolean =>
  reason === undefined || WHOLE.has(reason) || isCut(reason);
