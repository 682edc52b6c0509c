// Measures a JSON value without recursion, because it may be nested deeper than the stack allows. Independent of schemas.
import { toPointer } from '../../../inspect';

export interface JsonSize {
  /** Number of values, including the value itself. */
  nodes: number;
  /** Length of the longest text value, in UTF-16 code units. */
  longestText: number;
  /** Length of the longest property name, in UTF-16 code units. */
  longestName: number;
  longestList: number;
  /** Number of property names. */
  names: number;
  /** JSON Pointer of a value that JSON does not have, such as a function; undefined when there is none. */
  stranger: string | undefined;
}

interface JsonNode {
  value: unknown;
  depth: number;
  above: JsonNode | undefined;
  name: string;
}

/** @returns undefined when the value has more nodes or levels than the limit, as a circular one has */
export function measureJson(value: unknown, limit: { nodes: number; depth: number }): JsonSize | undefined {
  const size: JsonSize = {
    nodes: 0,
    longestText: 0,
    longestName: 0,
    longestList: 0,
    names: 0,
    stranger: undefined,
  };
  const open: JsonNode[] = [{ value, depth: 0, above: undefined, name: '' }];
  for (let place = open.pop(); place; place = open.pop()) {
    size.nodes += 1;
    if (place.depth > limit.depth || size.nodes + open.length > limit.nodes) return undefined;
    measureOne(place, size, open);
  }
  return size;
}

function measureOne(place: JsonNode, size: JsonSize, open: JsonNode[]): void {
  const { value, depth } = place;
  if (typeof value === 'string') size.longestText = Math.max(size.longestText, value.length);
  else if (Array.isArray(value)) {
    size.longestList = Math.max(size.longestList, value.length);
    for (const [at, inner] of (value as unknown[]).entries())
      open.push({ value: inner, depth: depth + 1, above: place, name: String(at) });
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      size.longestName = Math.max(size.longestName, name.length);
      size.names += 1;
      open.push({ value: inner, depth: depth + 1, above: place, name });
    }
  } else if (!['number', 'boolean'].includes(typeof value) && value !== null) {
    size.stranger ??= toPath(place);
  }
}

function toPath(place: JsonNode): string {
  let path = '';
  for (let at: JsonNode | undefined = place; at?.above; at = at.above) path = toPointer(at.name) + path;
  return path;
}
