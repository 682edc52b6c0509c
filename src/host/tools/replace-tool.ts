// The smallest edits that put another tool, or a reference to one, at a place of the document. Knows neither text nor vscode.
import type { DocumentEdit } from '../../protocol';
import { editsBetween } from '../../session';
import type { ToolEntry } from './tool-text';
import { withoutDefaults } from './tool-text';

/** A tool in place of a reference, or the other way round, is written as a whole. */
export function replaceTool(old: ToolEntry, value: object, index: number): DocumentEdit[] {
  const path = ['tools', index];
  const before = withoutDefaults(old);
  const isOfOneKind = Object.hasOwn(before, '$ref') === Object.hasOwn(value, '$ref');
  return isOfOneKind ? editsBetween(before, value, path) : [{ path, value }];
}
