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

/** Values of the history that were replaced or moved because no server accepts them, and replay data that was left out. */
export function replacedFindings({ turn }: DiagnosisInput): Finding[] {
  const { replaced = [] } = turn.exchange;
  const kinds = REPLACED.map((kind) => ({
    ...kind,
    places: replaced.filter((place) => kind.at.test(place)),
  }));
  const named = new Set(kinds.flatMap(({ places }) => places));
  const texts = { ...HALF_CHARACTERS, places: replaced.filter((place) => !named.has(place)) };
  return [...kinds, texts].flatMap(({ places, toWords, next }): Finding[] => {
    if (places.length === 0) return [];
    const what = toWords(nameFirst(places.map((place) => place.replace(FIELD, ''))));
    // What the person can mend is a warning.
    return next
      ? [{ cause: 'history-replaced', severity: 'warning', what, next: next(), tab: 'reply' }]
      : [{ cause: 'history-replaced', severity: 'info', what, tab: 'wire' }];
  });
}

/** The end of a place that says what happened to the message. */
const FIELD = /(?<=^messages\[\d+\])\.(?:replay|role|place|end)$/;

interface Replacement {
  toWords: (places: string) => string;
  next?: () => string;
}

const REPLACED: readonly (Replacement & { at: RegExp })[] = [
  {
    at: /^(?:messages|input)\[\d+\](?:\.tool_calls\[\d+\]\.function)?\.arguments$/,
    toWords: (places) =>
      t(
        'Sent as `{}`: {0}. The history has no JSON object there, and this server accepts nothing else.',
        places,
      ),
    next: () => t('The model does not see the arguments of its earlier call: correct them in the history.'),
  },
  {
    at: /^messages\[\d+\]\.content\[\d+\]\.input$/,
    toWords: (places) =>
      t(
        'Sent inside of `rawInvalidInput`: {0}. The history has no JSON object there, and this server accepts nothing else.',
        places,
      ),
    next: () => t('The model sees in the wrapper what it wrote: correct the arguments in the history.'),
  },
  {
    at: /^messages\[\d+\]\.replay$/,
    toWords: (places) =>
      t(
        'Not sent back: the reasoning with {0}. Another connection, server or model received it, a secret in it is masked, or it has no place in the reply.',
        places,
      ),
  },
  {
    at: /^messages\[\d+\]\.role$/,
    toWords: (places) =>
      t("Sent as the user's: {0}. This protocol has system text only before the conversation.", places),
  },
  {
    at: /^messages\[\d+\]$/,
    toWords: (places) =>
      t(
        'Not sent: {0}. The reply has neither text nor a call, and this server refuses an empty one.',
        places,
      ),
  },
  {
    at: /^messages\[\d+\]\.place$/,
    toWords: (places) =>
      t(
        'Sent earlier, directly after its call: {0}. This server refuses anything between a call and its result.',
        places,
      ),
  },
  {
    at: /^(?:input\[\d+\]|messages\[\d+\]\.content\[\d+\])$/,
    toWords: (places) =>
      t(
        'Sent as a failed result: {0}. The history has no result of the call, and this server refuses a call without one.',
        places,
      ),
  },
  {
    at: /^messages\[\d+\]\.end$/,
    toWords: (places) =>
      t(
        'Sent without the white space at its end: {0}. This server does not continue a text that ends so.',
        places,
      ),
  },
  {
    at: /^tools$/,
    toWords: (places) =>
      t(
        'Sent with the names alone, and forbidden: {0}. The history has calls, and this server refuses them without tools.',
        places,
      ),
  },
];

const HALF_CHARACTERS: Replacement = {
  toWords: (places) =>
    t('Sent with `U+FFFD` in place of half a character: {0}. Servers refuse half a surrogate pair.', places),
  next: () => t('Correct the text: it was probably cut in the middle of an emoji.'),
};

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
