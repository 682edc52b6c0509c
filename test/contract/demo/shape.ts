// The shape of JSON: its keys in order and its types, without values. The shape of an array is those of its elements, each
// once.

export function shapeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${[...new Set(value.map((item) => shapeOf(item)))].join('|')}]`;
  if (typeof value !== 'object') return typeof value;
  const members = Object.entries(value).map(([key, member]) => `${key}:${shapeOf(member)}`);
  return `{${members.join(',')}}`;
}

/** Returns a copy without the members at these paths; `[]` stands for every element of an array: `data[].meta`. */
export function withoutPaths(value: unknown, paths: readonly string[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const path of paths) removePath(copy, path.replaceAll('[]', '.[]').split('.'));
  return copy;
}

function removePath(value: unknown, path: readonly string[]): void {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) return;
  if (key === '[]' && Array.isArray(value)) {
    for (const item of value) removePath(item, rest);
  } else if (rest.length === 0) {
    Reflect.deleteProperty(value, key);
  } else {
    removePath(Reflect.get(value, key), rest);
  }
}
