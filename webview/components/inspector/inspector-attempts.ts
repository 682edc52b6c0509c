// The tab *Attempts*: the timeline with its table, why the run went on, and the limits. Live while a run is under
// way.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { AttemptRecord, RateLimit } from '../../../src/types';
import { connectionOf } from '../../lanes/lane-queries';
import {
  attemptResult,
  countAttempts,
  countOf,
  formatCount,
  formatDuration,
  formatSeconds,
} from '../../text/format';
import { linkButton } from '../controls/controls';
import { prose } from '../controls/prose';
import { describeLimits } from '../frame/composer';
import { renderCauses } from './reply/causes-section';
import type { Inspected } from './inspected';
import { renderTimeline } from './timeline';
import type { LiveBar } from './timeline';

export function renderAttemptsTab(inspected: Inspected): TemplateResult {
  const { lane, run, isLive } = inspected;
  const ledger = (isLive ? lane.progress?.ledger : run.outcome?.ledger) ?? [];
  const live = isLive ? toLiveBar(inspected) : undefined;
  if (ledger.length === 0 && !live) {
    return html`<p class="muted">${t('No attempt was recorded.')}</p>
      ${renderLimits(inspected)}`;
  }
  return html`<section class="sec">${renderSummary(ledger, live)} ${renderTimeline(ledger, live)}</section>
    ${ledger.length > 0 ? renderTable(ledger) : nothing}
    ${ledger.length > 0 ? renderReasons(ledger) : nothing}
    ${renderRateLimits(ledger.findLast(({ rateLimits }) => rateLimits)?.rateLimits ?? [])}
    ${renderCauses(run.outcome?.error?.causes ?? [])} ${renderLimits(inspected)}`;
}

function toLiveBar({ playground, lane }: Inspected): LiveBar {
  const { now } = playground.state;
  const { progress, run } = lane;
  if (!progress) return { attempt: 1, phase: 'waiting-for-headers', since: run?.since ?? now, now };
  const { attempt, phase, since } = progress;
  return { attempt, phase, since, now: Math.max(now, since) };
}

function renderSummary(ledger: readonly AttemptRecord[], live: LiveBar | undefined): TemplateResult {
  const attempts = Math.max(
    countAttempts(ledger),
    live?.phase === 'waiting-to-retry' ? 0 : (live?.attempt ?? 0),
  );
  const start = ledger[0]?.startedAt ?? live?.since ?? 0;
  const last = ledger.at(-1);
  const end = live ? live.now : last ? last.startedAt + last.endMs : start;
  // A wait that is still under way counts only as far as it has passed.
  const waited = ledger.reduce(
    (sum, { startedAt, endMs, delayMs = 0 }) => sum + Math.min(delayMs, end - startedAt - endMs),
    0,
  );
  return html`<h3>
    ${t('{0} in {1}', countOf(attempts, t('{0} attempt'), t('{0} attempts')), formatDuration(end - start))}
    ${waited > 0 ? html`<small>${t('{0} of it waiting', formatDuration(waited))}</small>` : nothing}
  </h3>`;
}

function renderTable(ledger: readonly AttemptRecord[]): TemplateResult {
  const start = ledger[0]?.startedAt ?? 0;
  return html`<section class="sec">
    <table class="num">
      <thead>
        <tr>
          <th>${t('Attempt')}</th>
          <th>${t('Result')}</th>
          <th class="r">${t('Start')}</th>
          <th class="r">${t('Headers')}</th>
          <th class="r">${t('End')}</th>
          <th class="r">${t('Then waits')}</th>
        </tr>
      </thead>
      <tbody>
        ${ledger.map(
          (attempt) =>
            html`<tr>
              <td>${attempt.attempt}${attempt.decision === 'reconnect' ? `, ${t('reconnect')}` : ''}</td>
              <td class=${attempt.status === undefined ? 'mono' : ''}>${attemptResult(attempt)}</td>
              <td class="r">${seconds(attempt.startedAt - start)}</td>
              <td class="r">${seconds(sinceStart(attempt, attempt.headersMs, start))}</td>
              <td class="r">${seconds(sinceStart(attempt, attempt.endMs, start))}</td>
              <td class="r">${seconds(attempt.delayMs)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** One column of the table; a dash stands for what did not happen. */
function seconds(valueMs: number | undefined): string {
  return valueMs === undefined ? '–' : formatSeconds(valueMs);
}

function sinceStart(
  { startedAt }: AttemptRecord,
  offsetMs: number | undefined,
  start: number,
): number | undefined {
  return offsetMs === undefined ? undefined : startedAt - start + offsetMs;
}

function renderReasons(ledger: readonly AttemptRecord[]): TemplateResult {
  const hasGoneOn = ledger.some(({ decision }) => decision === 'retry' || decision === 'reconnect');
  return html`<section class="sec">
    <h3>${hasGoneOn ? t('Why it continued') : t('Why it ended')}</h3>
    <ol class="findings">
      ${ledger.map(({ attempt, reason }) => html`<li><span class="muted num">${attempt}</span><span>${prose(reason)}</span></li>`)}
    </ol>
  </section>`;
}

/** What the service said last of its limits. */
function renderRateLimits(limits: readonly RateLimit[]): unknown {
  if (limits.length === 0) return nothing;
  return html`<section class="sec">
    <h3>${t('Rate limits of the service')}<small>${t('as its last answer said')}</small></h3>
    <table class="num">
      <thead>
        <tr>
          <th>${t('Of')}</th>
          <th class="r">${t('Left')}</th>
          <th class="r">${t('Limit')}</th>
          <th class="r">${t('All again in')}</th>
        </tr>
      </thead>
      <tbody>
        ${limits.map(
          ({ of, remaining, limit, resetMs }) =>
            html`<tr>
              <td>${of}</td>
              <td class="r">${remaining === undefined ? '–' : formatCount(remaining)}</td>
              <td class="r">${limit === undefined ? '–' : formatCount(limit)}</td>
              <td class="r">${resetMs === undefined ? '–' : formatDuration(resetMs)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** The limits that the run had; for a run under way, those of its connection. */
function renderLimits({ playground, lane, run }: Inspected): unknown {
  const connection = connectionOf(playground.state.session, lane.id);
  const limits = run.outcome ? run.outcome.limits : connection?.limits;
  if (!limits) return nothing;
  const isOwn = connection && (!run.outcome || run.outcome.connectionId === connection.id);
  return html`<section class="sec">
    <h3>${t('Limits')}</h3>
    <p>
      ${describeLimits(limits)}
      ${
        isOwn && connection.scope !== 'built-in'
          ? linkButton(t('Change'), () => void playground.send('settings/open', {}))
          : nothing
      }
    </p>
  </section>`;
}
