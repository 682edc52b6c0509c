// Finds the offered tools whose names are most similar to a written one. They are suggestions; no tool is called because of
// them.
import type { ToolType } from '../../types';
import { ToolIndex } from './core/tool-index';

/** @returns up to three names of tools, the most similar first; empty when none is similar */
export const nearestTools = (name: string, tools: readonly ToolType[]): string[] =>
  new ToolIndex(tools).nearest(name);
