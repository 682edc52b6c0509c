// Says of a run without a reply what it means for an evaluation: whether another attempt may work, and whom the failure stops.
// Pure; knows only the record of the run.
import type { NoVerdictReason, WordsCause } from '../../types';
import type { RunRecord } from '../run/record/run-record';

/** Words of a server that are about the call that the model wrote: that is a reply, though a bad one. */
const LOST_CALLS: readonly (WordsCause | undefined)[] = ['unread-call', 'cut-call', 'unknown-tool'];

/** Words that are about this request alone. */
const REQUEST_WORDS: readonly (WordsCause | undefined)[] = ['context-overflow', 'prompt-filter'];

/** Codes of failures that may pass. */
const PASSING_CODES = ['network', 'truncated-stream', 'response-format', 'response-too-large'];
const PASSING_STATUS = [408, 409, 425, 429];

/** Whether the server could not read the call that the model wrote. */
export const isLostCall = ({ turn, words }: RunRecord): boolean => !turn && LOST_CALLS.includes(words);

export function failureReason({ error, words }: RunRecord): NoVerdictReason {
  if (REQUEST_WORDS.includes(words)) return 'request';
  if (words === 'quota') return 'setup';
  const { code, status = 0, causes = [] } = error ?? {};
  if (code === 'timeout') return 'time';
  if (code === 'http')
    return PASSING_STATUS.includes(status) || status >= 500 || status < 300 ? 'infrastructure' : 'setup';
  if (code === undefined || !PASSING_CODES.includes(code)) return 'setup';
  return causes.some(isCertificate) ? 'setup' : 'infrastructure';
}

const isCertificate = (cause: string): boolean =>
  /certificate|CERT_|SELF_SIGNED|UNABLE_TO_VERIFY/i.test(cause);

/** Whose other samples would fail alike: those of the same connection, or of the lane alone. */
export function failureScope({ error, words }: RunRecord): 'connection' | 'lane' {
  const { status = 0, code } = error ?? {};
  if (words === 'quota') return 'connection';
  return code === 'http' && ![401, 402, 403].includes(status) ? 'lane' : 'connection';
}
