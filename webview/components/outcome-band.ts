// What came back, in one word beside an icon of its own shape; while a run is under way, what it waits for.
import { html, nothing } from 'lit';
import type { Finding, Verdict } from '../../src/protocol';
import { isWritingCall } from '../call-opener';
import type { IconName } from '../icons';
import { icon } from '../icons';
import { countOf, formatClock, formatDuration } from '../format';
import type { PlaygroundState, RunEntry } from '../state';
import { runEntries } from '../state';
import { prose } from './prose';

export interface Band {
  kind: Verdict['kind'] | 'busy' | 'wait';
  word: string;
  /** What follows the word, its separator included. */
  rest: string;
  /** Counts up while it is shown; not said to screen readers. */
  clock?: string | undefined;
}

const WORDS: Record<Verdict['kind'], string> = {
  native: 'Native',
  rescued: 'Rescued',
  malformed: 'Malformed',
  none: 'None',
  failed: 'Failed',
  stopped: 'Stopped',
};

/** @returns undefined before the first run. */
export function toBand(state: PlaygroundState): Band | undefined {
  if (state.pendingRunId) return toBusyBand(state);
  const last = runEntries(state).at(-1);
  if (last?.problem)
    return { kind: 'failed', word: WORDS.failed, rest: ` · ${lowerFirst(last.problem.title)}` };
  if (!last?.outcome) return undefined;
  const { kind, detail } = last.outcome.verdict;
  // "Stopped after 0:42" reads on, all others are a list
  const separator = kind === 'stopped' && detail.startsWith('after ') ? ' ' : ' · ';
  return { kind, word: WORDS[kind], rest: detail ? `${separator}${detail}` : '' };
}

export function renderBand(state: PlaygroundState, onFindings: () => void): unknown {
  const band = toBand(state);
  if (!band) return nothing;
  const name: IconName = band.kind;
  const last = runEntries(state).at(-1);
  return html`<div class="outcome o-${band.kind}">
    <span class="o-icon">${icon(name, band.kind === 'busy' ? 'spin' : '')}</span>
    <span class="what clip num"
      ><b>${band.word}</b>${prose(band.rest)}${band.clock ? ` · ${band.clock}` : nothing}</span
    >
    ${state.pendingRunId ? nothing : renderCount(last, onFindings)}
  </div>`;
}

function toBusyBand(state: PlaygroundState): Band {
  const { progress, now } = state;
  if (!progress) {
    const elapsed = formatClock(now - (state.pendingSince ?? now));
    return { kind: 'busy', word: 'Sending', rest: '', clock: elapsed };
  }
  const { phase, attempt, maxAttempts, delayMs, since, reply } = progress;
  if (phase === 'waiting-to-retry') {
    const wait = delayMs === undefined ? '' : ` ${formatDuration(delayMs)}`;
    const rest = ` before try ${attempt} of ${maxAttempts}`;
    return { kind: 'wait', word: `Waiting${wait}`, rest, clock: countdown(since + (delayMs ?? 0) - now) };
  }
  if (reply) {
    // what moves is the text itself
    return { kind: 'busy', word: 'Reading', rest: isWritingCall(reply) ? ' · a call is being written' : '' };
  }
  const word = phase === 'reading' ? 'Reading' : 'Waiting for headers';
  return { kind: 'busy', word, rest: '', clock: formatClock(now - since) };
}

/** Short waits are over before anybody has read it. */
function countdown(leftMs: number): string | undefined {
  return leftMs > 2000 ? `${formatClock(leftMs + 999)} left` : undefined;
}

/** The gravest severity names the icon; the number counts all that are as grave or graver than information. */
function renderCount(entry: RunEntry | undefined, onFindings: () => void): unknown {
  const findings = entry?.outcome?.findings ?? [];
  const errors = countFindings(findings, 'error');
  const count = errors + countFindings(findings, 'warning');
  if (count === 0) return nothing;
  const severity = errors > 0 ? 'error' : 'warning';
  return html`<button
    class="found"
    type="button"
    aria-label=${`${countOf(count, 'finding')} in lane 1`}
    @click=${onFindings}
  >
    <span class="s-${severity}">${icon(severity)}</span>${count}
  </button>`;
}

function countFindings(findings: readonly Finding[], severity: Finding['severity']): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
