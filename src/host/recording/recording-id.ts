// The ids under which recordings are stored. They contain the name of the connection, so that a list need not read what is
// stored. Independent of vscode.

const ID = /^recording:([\w-]{36}):(.*)$/s;
/** In UTF-16 code units. */
const MAX_LABEL = 200;

export const toRecordingId = (key: string, label: string): string =>
  `recording:${key}:${label.slice(0, MAX_LABEL)}`;

/** @returns undefined for the id of anything else */
export function readRecordingId(sessionId: string): { key: string; label: string } | undefined {
  const [, key, label = ''] = ID.exec(sessionId) ?? [];
  return key === undefined ? undefined : { key, label };
}
