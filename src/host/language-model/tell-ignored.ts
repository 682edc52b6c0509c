// Says in the findings of a run which options another extension asked with were not sent. Pure.
import { t } from '@vscode/l10n';
import { cutShort } from '../../inspect';
import type { Finding } from '../../types';
import type { IgnoredOptions } from './read-options';

const MAX_NAMED = 8;
/** In UTF-16 code units. */
const MAX_NAME = 40;

export function tellIgnored({ notAllowed, unusable }: IgnoredOptions): Finding[] {
  const findings: Finding[] = [];
  if (notAllowed.length > 0)
    findings.push({
      ...FINDING,
      what:
        notAllowed.length === 1
          ? t(
              'The option {0} of whoever asked was not sent: the connection allows sampling parameters only.',
              listNames(notAllowed),
            )
          : t(
              'The options {0} of whoever asked were not sent: the connection allows sampling parameters only.',
              listNames(notAllowed),
            ),
      next: t('To send such options, set `chatRawOptions` of the connection in your user settings.'),
    });
  if (unusable.length > 0)
    findings.push({
      ...FINDING,
      what:
        unusable.length === 1
          ? t(
              'The option {0} of whoever asked was not sent: its value does not fit, is too large or looks like a secret, or the chat itself decides it.',
              listNames(unusable),
            )
          : t(
              'The options {0} of whoever asked were not sent: their values do not fit, are too large or look like secrets, or the chat itself decides them.',
              listNames(unusable),
            ),
    });
  return findings;
}

const FINDING = { cause: 'sampling-dropped', severity: 'info', tab: 'wire' } as const;

function listNames(names: readonly string[]): string {
  // A backtick would end the code.
  const named = names
    .slice(0, MAX_NAMED)
    .map((name) => `\`${cutShort(name.replaceAll('`', "'"), MAX_NAME)}\``)
    .join(', ');
  const more = names.length - MAX_NAMED;
  return more > 0 ? t('{0} and {1} more', named, more) : named;
}
