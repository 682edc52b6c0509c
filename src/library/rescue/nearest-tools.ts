// The offered tools whose names are most like a written one. Knows nothing of texts; none of them is called because of it.
import type { ToolType } from '../../types';
import { ToolIndex } from './core/tool-index';

/** @returns their names, the nearest first; none when no name is near. */
export const nearestTools = (name: string, tools: readonly ToolType[]): string[] =>
  new ToolIndex(tools).nearest(name);
