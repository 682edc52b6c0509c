// Findings about settings that were sent differently, about the attempts, and about a call that the server itself could not
// parse. Pure.
import { t } from '@vscode/l10n';
import type { AttemptRecord, Finding } from '../../types';
import { formatDuration } from '../count-words';
import type { DiagnosisInput } from './diagnosis-input';
import { code, quote } from './diagnosis-input';
import { lowerTemperature } from './remedies';

/** Maximum number of names in one finding. */
const MAX_NAMED = 3;

export function unparsedCallFindings({ turn, setting }: DiagnosisInput): Finding[] {
  if (turn.raw.finishReason !== 'tool_call_parse_error') return [];
  return [
    {
      cause: 'unread-call',
      severity: 'error',
      what: t('The server could not parse the tool call that the model wrote, and answered with an error.'),
      evidence: [quote(t('answer'), turn.raw.content)],
      next: t('The text below is what the model wrote, taken from that error.'),
      tab: 'reply',
      remedies: lowerTemperature(setting),
    },
  ];
}

/** Values of the history that were replaced because no server accepts them, and replay data that was left out. */
export function replacedFindings({ turn }: DiagnosisInput): Finding[] {
  const { replaced = [] } = turn.exchange;
  const calls = replaced.filter((place) => WHOLE_ARGUMENTS.test(place));
  const replays = replaced.filter((place) => LEFT_OUT_REPLAY.test(place));
  const lateTexts = replaced.filter((place) => LATE_SYSTEM_TEXT.test(place));
  const empty = replaced.filter((place) => LEFT_OUT_MESSAGE.test(place));
  const named = new Set([...calls, ...replays, ...lateTexts, ...empty]);
  const texts = replaced.filter((place) => !named.has(place));
  const findings: Finding[] = [];
  if (calls.length > 0) {
    const what = t(
      'Sent as `{}`: {0}. The history has no JSON object there, and this server accepts nothing else.',
      nameFirst(calls),
    );
    const next = t('The model does not see the arguments of its earlier call: correct them in the history.');
    findings.push({ cause: 'history-replaced', severity: 'warning', what, next, tab: 'reply' });
  }
  if (replays.length > 0) {
    const what = t(
      'Not sent back: the reasoning with {0}. Another connection or model received it, or a secret in it is masked.',
      nameFirst(replays.map((place) => place.replace('.replay', ''))),
    );
    findings.push({ cause: 'history-replaced', severity: 'info', what, tab: 'wire' });
  }
  if (lateTexts.length > 0) {
    const what = t(
      "Sent as the user's: {0}. This protocol has system text only before the conversation.",
      nameFirst(lateTexts.map((place) => place.replace('.role', ''))),
    );
    findings.push({ cause: 'history-replaced', severity: 'info', what, tab: 'wire' });
  }
  if (empty.length > 0) {
    const what = t(
      'Not sent: {0}. The reply has neither text nor a call, and this server refuses an empty one.',
      nameFirst(empty),
    );
    findings.push({ cause: 'history-replaced', severity: 'info', what, tab: 'wire' });
  }
  if (texts.length > 0) {
    const what = t(
      'Sent with `U+FFFD` in place of half a character: {0}. Servers refuse half a surrogate pair.',
      nameFirst(texts),
    );
    const next = t('Correct the text: it was probably cut in the middle of an emoji.');
    findings.push({ cause: 'history-replaced', severity: 'warning', what, next, tab: 'reply' });
  }
  return findings;
}

const LEFT_OUT_REPLAY = /^messages\[\d+\]\.replay$/;
const WHOLE_ARGUMENTS =
  /^(?:messages|input)\[\d+\](?:\.tool_calls\[\d+\]\.function|\.content\[\d+\])?\.(?:arguments|input)$/;
const LATE_SYSTEM_TEXT = /^messages\[\d+\]\.role$/;
const LEFT_OUT_MESSAGE = /^messages\[\d+\]$/;

function nameFirst(places: readonly string[]): string {
  const named = code(places.slice(0, MAX_NAMED));
  const more = places.length - MAX_NAMED;
  return more > 0 ? t('{0} and {1} more', named, more) : named;
}

export function samplingFindings({ turn, setting }: DiagnosisInput): Finding[] {
  const { dropped, overridden, changed = [] } = turn.exchange;
  const findings: Finding[] = changed.map((what) => ({
    cause: 'request-changed',
    severity: 'info',
    what,
    tab: 'wire',
  }));
  // A key that the protocol has, and that was left out all the same, the model would have refused.
  const refused = dropped.filter((key) => typeof setting.keys[key] === 'string');
  const unsupported = dropped.filter((key) => !refused.includes(key));
  if (unsupported.length > 0) {
    const what =
      unsupported.length === 1
        ? t('{0} was not sent: this server does not support it.', code(unsupported))
        : t('{0} were not sent: this server does not support them.', code(unsupported));
    findings.push({ cause: 'sampling-dropped', severity: 'info', what, tab: 'wire' });
  }
  if (refused.length > 0) {
    const what =
      refused.length === 1
        ? t('{0} was not sent: this model does not take it.', code(refused))
        : t('{0} were not sent: this model does not take them.', code(refused));
    findings.push({ cause: 'sampling-dropped', severity: 'info', what, tab: 'wire' });
  }
  if (overridden.length > 0) {
    const what = t('`raw` replaced {0} of the request.', code(overridden));
    findings.push({ cause: 'raw-replaced', severity: 'info', what, tab: 'wire' });
  }
  return findings;
}

export function attemptFindings({ turn }: DiagnosisInput): Finding[] {
  const failed = turn.ledger.filter(({ decision }) => decision === 'retry');
  if (failed.length === 0) return [];
  const first = turn.ledger[0];
  const last = turn.ledger.at(-1);
  const waitedMs = failed.reduce((sum, { delayMs }) => sum + (delayMs ?? 0), 0);
  const totalMs = first && last ? last.startedAt + last.endMs - first.startedAt : 0;
  const causes = [...new Set(failed.map(causeOf))];
  const [why, waited, total] = [causes.join(', '), formatDuration(waitedMs), formatDuration(totalMs)];
  const what =
    failed.length === 1
      ? t('1 attempt failed ({0}); {1} of the {2} were waits.', why, waited, total)
      : t('{0} attempts failed ({1}); {2} of the {3} were waits.', failed.length, why, waited, total);
  return [{ cause: 'attempts', severity: 'info', what, tab: 'attempts' }];
}

/** The attempts themselves name the codes. A response that broke off has a status of success, which says nothing. */
function causeOf({ status, endedBy }: AttemptRecord): string {
  if (endedBy === 'server' && status !== undefined) return String(status);
  if (endedBy === 'timeout') return t('took too long');
  return status === undefined ? t('no connection') : t('broke off');
}
