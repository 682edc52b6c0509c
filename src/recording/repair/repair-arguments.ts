// Reads the arguments of a native call that are no JSON. Pure.
import { isRecord, rescueToolCalls } from '../../library';
import type { RescuedCall, ToolType } from '../../types';
import { isExact } from './exact';

/** A format with marks around the arguments, so that a text that was cut is not taken for a whole one. */
const wrap = (name: string, text: string): string =>
  `<|tool_calls_section_begin|><|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>${text}<|tool_call_end|><|tool_calls_section_end|>`;

/** @returns undefined when they cannot be read exactly */
export function repairArguments(text: string, tool: ToolType): RescuedCall | undefined {
  // A text with marks of its own could be more than the arguments.
  if (/<\|/.test(text)) return undefined;
  const { calls, rejected, content } = rescueToolCalls(wrap(tool.name, text), [tool]);
  const [call] = calls;
  const isWhole = calls.length === 1 && rejected.length === 0 && content === '';
  if (!isWhole || !isRecord(call?.arguments) || call.schemaIssues) return undefined;
  return isExact(call.arguments) ? call : undefined;
}
