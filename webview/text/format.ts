// Numbers and texts as the panel writes them. Pure; unknown is said in words, never 0.
import { t } from '@vscode/l10n';
import type { AttemptRecord, CallProgress, TokenUsage } from '../../src/types';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Below it, in milliseconds, hundredths of a second say nothing. */
const SHORT = 100;

/** Such as `8 ms`, `0.91 s`, `3.9 s`, `42 s`, `2 min 5 s`. */
export function formatDuration(durationMs: number): string {
  if (durationMs >= MINUTE) {
    const seconds = Math.round(durationMs / SECOND);
    const minutes = Math.floor(seconds / 60);
    return seconds % 60 === 0 ? t('{0} min', minutes) : t('{0} min {1} s', minutes, seconds % 60);
  }
  const seconds = durationMs / SECOND;
  if (durationMs < SHORT) return formatShort(durationMs);
  if (seconds < 0.995) return t('{0} s', seconds.toFixed(2));
  return t('{0} s', trimZero(seconds.toFixed(1)));
}

/** Two decimals, for columns of numbers; milliseconds where those would be none. */
export function formatSeconds(durationMs: number): string {
  if (durationMs < SHORT) return formatShort(durationMs);
  return t('{0} s', (durationMs / SECOND).toFixed(2));
}

/** A running clock: `0:42`, `12:05`, `1:02:03`. */
export function formatClock(elapsedMs: number): string {
  const total = Math.max(0, Math.floor(elapsedMs / SECOND));
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const padded = String(seconds).padStart(2, '0');
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${padded}` : `${minutes}:${padded}`;
}

/**
 * Such as `3 attempts`.
 * @param one `{0} attempt` with the place of the number, as `t` gives it
 * @param many `{0} attempts`
 */
export function countOf(count: number, one: string, many: string): string {
  return (count === 1 ? one : many).replace('{0}', formatCount(count));
}

/** Thousands apart by a thin gap that does not break: `12 400`. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** The whole of prompt and completion, as far as the server said it. */
/** Such as `84 B`, `1.9 kB`, `3.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return t('{0} B', bytes);
  return bytes < 999_950
    ? t('{0} kB', (bytes / 1_000).toFixed(1))
    : t('{0} MB', (bytes / 1_000_000).toFixed(1));
}

export function formatTokens(usage: TokenUsage | undefined): string {
  const { promptTokens, completionTokens } = usage ?? {};
  if (promptTokens === undefined && completionTokens === undefined) return t('no tokens');
  if (promptTokens === undefined) return t('{0} tok out', formatCount(completionTokens ?? 0));
  if (completionTokens === undefined) return t('{0} tok in', formatCount(promptTokens));
  return t('{0} tok', formatCount(promptTokens + completionTokens));
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

/** Such as `429`, `ECONNREFUSED`, or how it ended; `200, ECONNRESET` where the answer had begun. */
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
  EAI_AGAIN: () => t('no name server'),
  ETIMEDOUT: () => t('timed out'),
  UND_ERR_CONNECT_TIMEOUT: () => t('timed out'),
  ERR_TLS_HANDSHAKE_TIMEOUT: () => t('TLS timed out'),
  UND_ERR_HEADERS_TIMEOUT: () => t('timed out'),
  UND_ERR_BODY_TIMEOUT: () => t('timed out'),
  UND_ERR_SOCKET: () => t('cut off'),
};

/** `ECONNRESET after 1 attempt` in plain words, as far as there are such. */
export function spellErrorCode(detail: string): string {
  return detail.replace(/^[A-Z][A-Z_]+\b/, (code) =>
    Object.hasOwn(ERROR_WORDS, code) ? (ERROR_WORDS[code]?.() ?? code) : code,
  );
}

/** The same in a word, where the code has a plain one. */
export function attemptWord(attempt: AttemptRecord): string {
  const { errorCode, endedBy, status } = attempt;
  // whatever the code, an answer that had begun was cut off
  if (status !== undefined && endedBy === 'network') return describeEnd(attempt, t('cut off'));
  if (errorCode === undefined) return describeEnd(attempt, describeEnder(endedBy));
  return describeEnd(attempt, spellErrorCode(errorCode));
}

/** Whether the attempt ended with an answer that was taken. */
export function isGoodAttempt(attempt: AttemptRecord): boolean {
  return attempt.decision === 'done' && attempt.endedBy === 'server';
}

/** How many requests went out: a reconnect keeps its attempt's number. */
export function countAttempts(ledger: readonly AttemptRecord[]): number {
  return ledger.reduce((most, { attempt }) => Math.max(most, attempt), 0);
}

/** An attempt that is only waited for has not begun. */
export function countBegunAttempts(progress: CallProgress | undefined): number {
  if (!progress) return 1;
  return progress.phase === 'waiting-to-retry' ? countAttempts(progress.ledger) : progress.attempt;
}

/** The place, or the one before it where a character of two units would be cut in half. */
export function toCharacterStart(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

/** The beginning of a text; at most so long, and of whole characters. */
export function headOf(text: string, maxLength: number): string {
  return text.slice(0, toCharacterStart(text, maxLength));
}

export function toOneLine(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '↵');
}

/** JSON for the eye and the clipboard; what JSON cannot hold stays text. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? String(value);
}

const formatShort = (durationMs: number): string => t('{0} ms', Math.round(durationMs));

function trimZero(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text;
}
