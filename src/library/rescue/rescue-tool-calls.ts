// Finds the tool calls that a model wrote into its text, and says why it left alone what only looks like one.
import type { RescueReport, ToolType } from '../../types';
import { scanReply } from './decide/scan-reply';
import type { RescueOptions } from './decide/scan-reply';

export type { RescueOptions } from './decide/scan-reply';

/**
 * Pure, linear in the text, and never throws. Only tools in `tools` are ever called; nothing is completed that the
 * text does not say, and nothing in it is evaluated. Ids are minted where the text has none.
 */
export function rescueToolCalls(
  text: string,
  tools: readonly ToolType[],
  options: RescueOptions = {},
): RescueReport {
  // callers without types exist, and a reply is no place to fail
  const safeText = typeof text === 'string' ? text : '';
  return scanReply(safeText, Array.isArray(tools) ? (tools as readonly ToolType[]) : [], options ?? {})
    .report;
}
