// The outcome of a run in one word with its own icon shape; during a run, what it waits for. Pure.
import { t } from '@vscode/l10n';
import type { RunEntry, RunOutcome, RunState, Verdict } from '../../src/protocol';
import type { InspectorTab } from '../../src/types';
import type { LaneState } from '../state/session-state';
import { isWritingCall } from '../text/call-opener';
import { formatClock, formatDuration, spellErrorCode } from '../text/format';
import { describeEnding } from './ending';
import { callsOf, lastRun, openCalls } from './lane-queries';

type BandKind = Verdict['kind'] | 'busy' | 'wait' | 'paused' | 'ask';

export interface Band {
  kind: BandKind;
  word: string;
  /** Text after the word, including its separator. */
  rest: string;
  /** Time that counts up or down while it is shown; screen readers do not read it. */
  clock?: string | undefined;
  /** The inspector tab with the details. */
  tab: InspectorTab;
}

const WORDS: Readonly<Record<Verdict['kind'], () => string>> = {
  native: () => t('Native'),
  rescued: () => t('Rescued'),
  malformed: () => t('Malformed'),
  none: () => t('None'),
  answer: () => t('Answer'),
  failed: () => t('Failed'),
  stopped: () => t('Stopped'),
  interrupted: () => t('Interrupted'),
};

/** @returns undefined before the first run. */
export function toBand(lane: LaneState, now: number): Band | undefined {
  if (lane.run) return toRunBand(lane, lane.run, now);
  const last = lastRun(lane);
  if (!last) return undefined;
  if (last.ending) return toEndingBand(last);
  if (last.outcome) return toVerdictBand(last.outcome);
  return last.isStored ? { kind: 'none', word: t('Earlier run'), rest: '', tab: 'reply' } : undefined;
}

function toVerdictBand(outcome: RunOutcome): Band {
  const { kind } = outcome.verdict;
  const detail = describeDetail(outcome);
  const rest = detail === '' ? '' : ` · ${detail}`;
  return { kind, word: WORDS[kind](), rest, tab: tabOf(kind) };
}

const describeDetail = ({ verdict: { kind, detail } }: RunOutcome): string =>
  kind === 'failed' ? spellErrorCode(detail) : detail;

function tabOf(kind: Verdict['kind']): InspectorTab {
  if (kind === 'failed') return 'attempts';
  if (kind === 'malformed') return 'tool-calls';
  return kind === 'rescued' ? 'rescue' : 'reply';
}

function toEndingBand({ ending, outcome }: RunEntry): Band {
  if (!ending) return { kind: 'none', word: '', rest: '', tab: 'reply' };
  const { word, rest } = describeEnding(ending);
  const { stopReason } = ending;
  if (stopReason === 'error') {
    const detail = outcome?.verdict.kind === 'failed' ? describeDetail(outcome) : '';
    return { kind: 'failed', word, rest: detail === '' ? rest : ` · ${detail}`, tab: 'attempts' };
  }
  if (stopReason === 'answer') {
    return { kind: ending.rescued > 0 ? 'rescued' : 'answer', word, rest, tab: 'reply' };
  }
  const kind = stopReason === 'interrupted' ? 'interrupted' : 'stopped';
  return { kind, word, rest, tab: 'reply' };
}

function toRunBand(lane: LaneState, run: RunState, now: number): Band {
  const elapsed = formatClock(now - run.since);
  switch (run.phase) {
    case 'queued':
      return {
        kind: 'wait',
        word: t('Waiting for its turn'),
        rest: describeQueue(run.queue),
        clock: elapsed,
        tab: 'attempts',
      };
    case 'paused':
      return {
        kind: 'paused',
        word: t('Paused'),
        rest: ` · ${t('after step {0}', run.step ?? 1)}`,
        tab: 'reply',
      };
    case 'answering':
      return toAnsweringBand(lane, elapsed);
    case 'running':
      return toBusyBand(lane, run, now);
  }
}

/** Describes the requests that a queued run waits for. */
export function describeQueue(queue: RunState['queue']): string {
  if (!queue) return '';
  const { limit, ahead } = queue;
  const full =
    limit === 1
      ? t('{0} of {0} request under way to this server', limit)
      : t('{0} of {0} requests under way to this server', limit);
  return ` · ${full}${ahead > 0 ? `, ${t('{0} ahead', ahead)}` : ''}`;
}

function toAnsweringBand(lane: LaneState, elapsed: string): Band {
  const last = lastRun(lane);
  const asked = last?.asked ?? [];
  const indices = asked.length > 0 ? asked : last ? openCalls(last) : [];
  const names = [...new Set(indices.map((index) => last && callsOf(last)[index]?.name).filter(Boolean))];
  const calls = names.join(', ');
  if (asked.length > 0) {
    return {
      kind: 'ask',
      word: t('Waiting for a result'),
      rest: ` ${t('of {0}', calls)}`,
      tab: 'tool-calls',
    };
  }
  const rest = calls === '' ? '' : ` · ${calls}`;
  return { kind: 'busy', word: t('Answering'), rest, clock: elapsed, tab: 'tool-calls' };
}

function toBusyBand({ progress }: LaneState, run: RunState, now: number): Band {
  const busy = { kind: 'busy', tab: 'attempts' } as const;
  if (!progress) return { ...busy, word: t('Sending'), rest: '', clock: formatClock(now - run.since) };
  const { phase, attempt, maxAttempts, delayMs, since, reply } = progress;
  if (phase === 'waiting-to-retry') {
    const word = delayMs === undefined ? t('Waiting') : t('Waiting {0}', formatDuration(delayMs));
    const rest = ` ${t('before attempt {0} of {1}', attempt, maxAttempts)}`;
    const clock = countdown(since + (delayMs ?? 0) - now);
    return { kind: 'wait', word, rest, clock, tab: 'attempts' };
  }
  if (reply) {
    // The moving text shows the progress, so there is no clock.
    const rest = isWritingCall(reply) ? ` · ${t('a call is being written')}` : '';
    return { ...busy, word: t('Reading'), rest, tab: 'reply' };
  }
  const word = phase === 'reading' ? t('Reading') : t('Waiting for headers');
  return { ...busy, word, rest: '', clock: formatClock(now - since) };
}

/** Countdown of a wait. Waits of up to 2 s would be over before anybody has read it. */
function countdown(leftMs: number): string | undefined {
  return leftMs > 2000 ? t('{0} left', formatClock(leftMs + 999)) : undefined;
}
