// Which tool is which after a document has changed. Knows neither documents nor files.

export interface TrackedTool {
  /** Its place in the list; undefined once it is gone from there, and may come back. */
  index: number | undefined;
  name: string;
  /** All of it, as one text. */
  json: string;
}

/**
 * A tool that stays as it is is known by that, one that is edited by its name, one that is renamed by its place.
 * @returns for each tool of before its place in after, or undefined when it is gone; no place twice
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
