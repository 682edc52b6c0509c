// Matches the tools before and after a change of a document. Independent of documents and files.

export interface TrackedTool {
  /** Index in the list; undefined once it is gone from there. It may come back. */
  index: number | undefined;
  name: string;
  /** The complete tool as JSON. */
  json: string;
}

/**
 * Matches an unchanged tool by its content, an edited one by its name, and a renamed one by its index.
 * @returns the new index of each old tool, or undefined when it is gone; no index occurs twice.
 */
export function followTools(
  before: readonly TrackedTool[],
  after: readonly TrackedTool[],
): (number | undefined)[] {
  const found = before.map((): number | undefined => undefined);
  const free = new Set(after.keys());
  const pass = (choose: (tool: TrackedTool) => number | undefined): void => {
    for (const [at, tool] of before.entries()) {
      const index = found[at] === undefined ? choose(tool) : undefined;
      if (index !== undefined && free.delete(index)) found[at] = index;
    }
  };
  for (const key of ['json', 'name'] as const) {
    pass((tool) => (at(after, tool.index)?.[key] === tool[key] ? tool.index : undefined));
    pass((tool) => [...free].find((index) => after[index]?.[key] === tool[key]));
  }
  const isSameCount = before.filter(({ index }) => index !== undefined).length === after.length;
  if (isSameCount) pass(({ index }) => index);
  return found;
}

const at = (tools: readonly TrackedTool[], index: number | undefined): TrackedTool | undefined =>
  index === undefined ? undefined : tools[index];
