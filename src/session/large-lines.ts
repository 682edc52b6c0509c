// Lines of a journal are small: what is long in one becomes a body beside it, and is put back when the journal is read.
// Knows no conversation.
import type { Journal, JournalLine } from './ports';

/** UTF-16 units of the field as JSON. */
const MAX_INLINE = 100_000;

/** The field of a line that may be long, by the kind of the line. */
const FIELDS: Readonly<Record<string, string>> = { message: 'message', result: 'result' };

/** @param key Of the body, should it take one. */
export function appendLine(journal: Journal, line: JournalLine & { kind: string }, key: string): void {
  const name = FIELDS[line.kind] ?? '';
  const value = line[name];
  if (JSON.stringify(value).length <= MAX_INLINE) return journal.append(line);
  journal.append({ ...line, [name]: undefined, body: key }, { key, value });
}

/** All lines, whole. Never rejects: a line whose body is gone has no such field. */
export function readLines(journal: Journal): Promise<JournalLine[]> {
  return Promise.all(
    journal.lines.map(async (line) => {
      const name = typeof line.kind === 'string' && Object.hasOwn(FIELDS, line.kind) && FIELDS[line.kind];
      if (!name || typeof line.body !== 'string') return line;
      return { ...line, [name]: await journal.readBody(line.body) };
    }),
  );
}
