// Limits and lists of the page *Recording*. A file of its own, so that the page can use them without loading the schemas.

export const RECORDING_LIMIT = {
  /** Requests that are kept; the oldest are dropped. */
  rows: 10_000,
  /** Rows in one reply or event. */
  rowsInFrame: 1_000,
} as const;

/** `jsonl`: the file that the command line records, too. `har`: for the tools of browsers and proxies. */
export const RECORDING_FORMS = ['jsonl', 'har'] as const;
export type RecordingForm = (typeof RECORDING_FORMS)[number];

/** `client`: the program. `server`: the server of the connection. */
export const RECORDING_SIDES = ['client', 'server'] as const;
export type RecordingSide = (typeof RECORDING_SIDES)[number];
