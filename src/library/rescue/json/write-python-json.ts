// Writes values as Python prints them: single quotes, `True`, `None`. Independent of formats.

/** @param value JSON-safe. */
export function writePythonJson(value: unknown): string {
  if (typeof value === 'string') return writeText(value);
  if (value === true || value === false) return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(writePythonJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return value === null ? 'None' : JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${writeText(key)}: ${writePythonJson(item)}`);
  return `{${members.join(', ')}}`;
}

/** Uses the quotes that need no escapes, if possible. The other escapes of JSON are valid in Python too. */
function writeText(text: string): string {
  const written = JSON.stringify(text);
  if (text.includes("'") && !text.includes('"')) return written;
  return `'${written.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
