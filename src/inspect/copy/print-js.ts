// Prints a JSON value as JavaScript, the way a person would write it. Pure.

/** @param indent Indentation of the line on which it begins. */
export function printJs(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoteJs(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    return value.length === 0 ? '[]' : `[${value.map((inner) => printJs(inner, deeper)).join(', ')}]`;
  }
  const members = Object.entries(value).map(
    ([key, inner]) => `${deeper}${printKey(key)}: ${printJs(inner, deeper)},`,
  );
  return members.length === 0 ? '{}' : ['{', ...members, `${indent}}`].join('\n');
}

function printKey(key: string): string {
  // Written as a plain member, it would set the prototype.
  if (key === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoteJs(key);
}

/** Quotes a text with single quotes; the escapes are those of JSON. */
export const quoteJs = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", String.raw`\'`)}'`;
