// The smallest edits that replace a tool of the document by another tool or a reference. Independent of text and
// vscode.
import type { DocumentEdit } from '../../protocol';
import { editsBetween } from '../../session';
import type { ToolEntry } from './tool-text';
import { withoutDefaults } from './tool-text';

/** A tool that replaces a reference, or vice versa, is written as a whole. */
export function replaceTool(old: ToolEntry, value: object, index: number): DocumentEdit[] {
  const path = ['tools', index];
  const before = withoutDefaults(old);
  const isOfOneKind = Object.hasOwn(before, '$ref') === Object.hasOwn(value, '$ref');
  return isOfOneKind ? editsBetween(before, value, path) : [{ path, value }];
}
