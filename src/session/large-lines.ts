// Keeps journal lines small: a long field of a line is stored as a body beside it, and put back when the journal is read.
// Independent of conversations.
import type { Journal, JournalLine } from './ports';

/** In UTF-16 code units of the field as JSON. */
const MAX_INLINE = 100_000;

/** The field that may be long, by the kind of line. */
const FIELDS: Readonly<Record<string, string>> = {
  message: 'message',
  result: 'result',
  clear: 'messages',
};

/** @param key Key of the body, if one is needed. */
export function appendLine(journal: Journal, line: JournalLine & { kind: string }, key: string): void {
  const name = FIELDS[line.kind] ?? '';
  const value = line[name];
  if (JSON.stringify(value).length <= MAX_INLINE) return journal.append(line);
  journal.append({ ...line, [name]: undefined, body: key }, { key, value });
}

/** Reads all lines with their fields put back. Never rejects: if a body is gone, its field is undefined. */
export function readLines(journal: Journal): Promise<JournalLine[]> {
  return Promise.all(
    journal.lines.map(async (line) => {
      const name = typeof line.kind === 'string' && Object.hasOwn(FIELDS, line.kind) && FIELDS[line.kind];
      if (!name || typeof line.body !== 'string') return line;
      return { ...line, [name]: await journal.readBody(line.body) };
    }),
  );
}
