// Finds the tool calls that a model wrote as text, and says why it left alone what only looks like a call.
import type { RescueReport, ToolType } from '../../types';
import { scanReply } from './decide/scan-reply';
import type { RescueOptions } from './decide/scan-reply';
import { toReadableTools } from '../util/standard-schema';

export type { RescueOptions } from './decide/scan-reply';

/**
 * Finds the tool calls in a text. Linear in the text, does no I/O, and never throws. Only calls to tools in `tools` are
 * accepted. Nothing is completed beyond what the text says, and nothing in it is evaluated. A call without an id gets a
 * random one. A text of more than 8 Mi UTF-16 code units is not read, and one with more than 5,000 calls, or what looks like
 * them, has none; the report says so.
 */
export function rescueToolCalls(
  text: string,
  tools: readonly ToolType[],
  options: RescueOptions = {},
): RescueReport {
  // Callers without type checks may pass anything, and handling a reply must not fail.
  const safeText = typeof text === 'string' ? text : '';
  return scanReply(safeText, toReadableTools(tools), options ?? {}).report;
}
