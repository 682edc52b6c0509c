// Finds the offered tools whose names are most similar to a written one. They are suggestions; no tool is called because of
// them.
import type { ToolType } from '../../types';
import { ToolIndex } from './core/tool-index';

/** Never throws. @returns up to three names of tools, the most similar first; empty when none is similar */
export const nearestTools = (name: string, tools: readonly ToolType[]): string[] =>
  // Callers without type checks may pass anything, such as the name in a call that a model wrote.
  typeof name === 'string'
    ? new ToolIndex(Array.isArray(tools) ? (tools as readonly ToolType[]) : []).nearest(name)
    : [];
