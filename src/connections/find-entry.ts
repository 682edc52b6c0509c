// Finds a connection in the text of a settings file.
import { findNodeAtLocation, parseTree } from 'jsonc-parser';

/**
 * Range of the entry, including its id; that of the whole setting if it has no such entry.
 * @param setting Name of the setting that has the connections.
 */
export function findEntry(text: string, setting: string, id: string): [number, number] | undefined {
  const root = parseTree(text);
  if (!root) return undefined;
  // In a workspace file the settings are one level deeper.
  const places = [[setting, id], ['settings', setting, id], [setting], ['settings', setting]];
  for (const place of places) {
    const property = findNodeAtLocation(root, place)?.parent;
    if (property) return [property.offset, property.offset + property.length];
  }
  return undefined;
}
