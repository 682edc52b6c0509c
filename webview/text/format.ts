// Formats numbers and texts for the panel. Pure. Unknown values are said in words, never shown as 0.
import { t } from '@vscode/l10n';
import type { AttemptRecord, Billing, CallProgress, TokenUsage } from '../../src/types';

const SECOND = 1000;
/** In milliseconds. Below this, hundredths of a second say nothing, so milliseconds are shown. */
const SHORT = 100;

/** Such as `8 ms`, `0.91 s`, `3.9 s`, `42 s`, `2 min 5 s`. */
export function formatDuration(durationMs: number): string {
  // The rounded value decides, so that nothing is rounded up to a unit that it is not shown in.
  const tenths = Math.round(durationMs / 100);
  if (tenths >= 600) {
    const seconds = Math.round(durationMs / SECOND);
    const minutes = Math.floor(seconds / 60);
    return seconds % 60 === 0 ? t('{0} min', minutes) : t('{0} min {1} s', minutes, seconds % 60);
  }
  if (isShort(durationMs)) return formatShort(durationMs);
  if (durationMs < 995) return t('{0} s', (durationMs / SECOND).toFixed(2));
  return t('{0} s', tenths / 10);
}

/** Two decimals, for columns of numbers; milliseconds for short durations. */
export function formatSeconds(durationMs: number): string {
  if (isShort(durationMs)) return formatShort(durationMs);
  return t('{0} s', (durationMs / SECOND).toFixed(2));
}

/** Elapsed time such as `0:42`, `12:05`, `1:02:03`. */
export function formatClock(elapsedMs: number): string {
  const total = Math.max(0, Math.floor(elapsedMs / SECOND));
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const padded = String(seconds).padStart(2, '0');
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${padded}` : `${minutes}:${padded}`;
}

/**
 * Count with its noun, such as `3 attempts`.
 * @param one Translated text for 1, such as `{0} attempt`; `{0}` is replaced here.
 * @param many The same for other counts, such as `{0} attempts`.
 */
export function countOf(count: number, one: string, many: string): string {
  return (count === 1 ? one : many).replace('{0}', formatCount(count));
}

/** Groups digits by narrow no-break spaces: `12 400`. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** Such as `84 B`, `1.9 kB`, `3.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return t('{0} B', bytes);
  return bytes < 999_950
    ? t('{0} kB', (bytes / 1_000).toFixed(1))
    : t('{0} MB', (bytes / 1_000_000).toFixed(1));
}

/** Sum of prompt and completion tokens, as far as the server reported them. */
export function formatTokens(usage: TokenUsage | undefined): string {
  const { promptTokens, completionTokens } = usage ?? {};
  if (promptTokens === undefined && completionTokens === undefined) return t('not reported');
  if (promptTokens === undefined) return t('{0} tok out', formatCount(completionTokens ?? 0));
  if (completionTokens === undefined) return t('{0} tok in', formatCount(promptTokens));
  return t('{0} tok', formatCount(promptTokens + completionTokens));
}

/** What stands where there is no cost. */
export function whyNoCost(billing: Billing): string {
  if (billing === 'rates') return t('no usage');
  if (billing === 'free') return t('no cost');
  // Nobody can set rates for a model of the editor.
  return billing === 'quota' ? t('no cost told') : t('cost not set');
}

/** Such as `$0.00012`: two significant digits below a cent, so that a small cost is not 0. */
export function formatCost(costUsd: number): string {
  if (costUsd === 0) return '$0';
  if (costUsd >= 0.01) return `$${costUsd.toFixed(2)}`;
  const decimals = Math.min(20, 1 - Math.floor(Math.log10(costUsd)));
  return `$${costUsd.toFixed(decimals).replace(/0+$/, '')}`;
}

const describeEnder = (endedBy: AttemptRecord['endedBy']): string =>
  ({ server: t('no status'), network: t('network'), timeout: t('timed out'), caller: t('stopped') })[endedBy];

/** Result of an attempt such as `429`, `ECONNREFUSED`, or how it ended; `200, ECONNRESET` if the response had begun. */
export function attemptResult(attempt: AttemptRecord): string {
  return describeEnd(attempt, attempt.errorCode ?? describeEnder(attempt.endedBy));
}

function describeEnd({ status, endedBy }: AttemptRecord, end: string): string {
  if (status === undefined) return end;
  return endedBy === 'server' ? String(status) : `${status}, ${end}`;
}

const ERROR_WORDS: Readonly<Record<string, () => string>> = {
  ECONNREFUSED: () => t('refused'),
  ECONNRESET: () => t('reset'),
  ENOTFOUND: () => t('no such host'),
  EAI_AGAIN: () => t('no DNS server'),
  ETIMEDOUT: () => t('timed out'),
  UND_ERR_CONNECT_TIMEOUT: () => t('timed out'),
  ERR_TLS_HANDSHAKE_TIMEOUT: () => t('TLS timed out'),
  UND_ERR_HEADERS_TIMEOUT: () => t('timed out'),
  UND_ERR_BODY_TIMEOUT: () => t('timed out'),
  UND_ERR_SOCKET: () => t('cut off'),
  EHOSTUNREACH: () => t('unreachable'),
  ENETUNREACH: () => t('unreachable'),
  ERR_SSL_WRONG_VERSION_NUMBER: () => t('no TLS'),
  SELF_SIGNED_CERT_IN_CHAIN: () => t('not trusted'),
  DEPTH_ZERO_SELF_SIGNED_CERT: () => t('not trusted'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => t('not trusted'),
};

/** `ECONNRESET after 1 attempt` in plain words, if the code is a known one. */
export function spellErrorCode(detail: string): string {
  return detail.replace(/^[A-Z][A-Z_]+\b/, (code) =>
    Object.hasOwn(ERROR_WORDS, code) ? (ERROR_WORDS[code]?.() ?? code) : code,
  );
}

/** The same with known error codes in plain words. */
export function attemptWord(attempt: AttemptRecord): string {
  const { errorCode, endedBy, status } = attempt;
  // Whatever the code, a response that had begun was cut off.
  if (status !== undefined && endedBy === 'network') return describeEnd(attempt, t('cut off'));
  if (errorCode === undefined) return describeEnd(attempt, describeEnder(endedBy));
  return describeEnd(attempt, spellErrorCode(errorCode));
}

/** Whether the attempt ended with a response that was accepted. */
export function isGoodAttempt(attempt: AttemptRecord): boolean {
  return attempt.decision === 'done' && attempt.endedBy === 'server';
}

/** Number of requests, the highest attempt number: a reconnect keeps the number of its attempt. */
export function countAttempts(ledger: readonly AttemptRecord[]): number {
  return ledger.reduce((most, { attempt }) => Math.max(most, attempt), 0);
}

/** The same during a run; an attempt whose wait is still under way has not begun. */
export function countBegunAttempts(progress: CallProgress | undefined): number {
  if (!progress) return 1;
  return progress.phase === 'waiting-to-retry' ? countAttempts(progress.ledger) : progress.attempt;
}

/** The offset, or the one before it if it would split a surrogate pair. */
export function toCharacterStart(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

/** The beginning of a text, at most `maxLength` UTF-16 code units, without a split surrogate pair. */
export function headOf(text: string, maxLength: number): string {
  return text.slice(0, toCharacterStart(text, maxLength));
}

export function toOneLine(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '↵');
}

/** Indented JSON for display and the clipboard; a value that JSON cannot represent becomes text. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? String(value);
}

const isShort = (durationMs: number): boolean => Math.round(durationMs) < SHORT;
const formatShort = (durationMs: number): string => t('{0} ms', Math.round(durationMs));
