// Says why a model of the editor gave no reply, or why there is no model: what is known by code, by name, and by text, in that order.
// Pure; independent of vscode.
import { t } from '@vscode/l10n';
import { ProviderError } from '../../library';
import type { ErrorExplanation } from '../../library';
import type { PartialReply } from '../../types';
import type { HostPlaces } from '../chat-host';
import { findSplit } from '../chat-host';
import type { EditorModelName } from './editor-model';
import { toModelName } from './editor-model';

type Kind = 'gone' | 'not-allowed' | 'blocked' | 'quota' | 'rate' | 'too-long' | 'other';

/** Codes of `LanguageModelError`, and names of Copilot's errors. */
const BY_CODE: Readonly<Record<string, Kind>> = {
  NotFound: 'gone',
  NoPermissions: 'not-allowed',
  Blocked: 'blocked',
  ChatQuotaExceeded: 'quota',
  ChatRateLimited: 'rate',
};

const BY_TEXT: readonly (readonly [RegExp, Kind])[] = [
  [/exceeds token limit|context length|too many tokens/i, 'too-long'],
  [/quota|premium request|billing/i, 'quota'],
  [/rate.?limit|too many requests/i, 'rate'],
  [/sign(?:ed)? in|not authorized|consent/i, 'not-allowed'],
];

/** In UTF-16 code units; what an extension says may be hostile. */
const MAX_SAID = 500;

/** @param partial What arrived before. */
export function explainFailure(
  thrown: unknown,
  model: EditorModelName,
  partial?: PartialReply,
): ProviderError {
  if (thrown instanceof ProviderError) return thrown;
  const { kind, said } = read(thrown);
  const answer = WORDS[kind](toModelName(model));
  const why = [quote(said), answer.why].filter(Boolean).join(' ');
  return new ProviderError(
    kind === 'other' ? 'response-format' : 'refused',
    { ...answer, why },
    { attempts: 1, cause: thrown, ...(partial && { partial }) },
  );
}

function quote(said: string): string {
  if (said === '') return '';
  return /[.!?…]$/.test(said) ? t('It said: “{0}”', said) : t('It said: “{0}”.', said);
}

function read(thrown: unknown): { kind: Kind; said: string } {
  const { code, name, message } = thrown instanceof Error ? (thrown as Error & { code?: unknown }) : {};
  const said = (message ?? String(thrown)).replaceAll(/\s+/g, ' ').trim();
  const named = [code, name].find(
    (word): word is string => typeof word === 'string' && Object.hasOwn(BY_CODE, word),
  );
  const kind = named === undefined ? BY_TEXT.find(([text]) => text.test(said))?.[1] : BY_CODE[named];
  return { kind: kind ?? 'other', said: said.length > MAX_SAID ? `${said.slice(0, MAX_SAID)}…` : said };
}

const WORDS: Readonly<Record<Kind, (model: string) => ErrorExplanation>> = {
  gone: (model) => ({
    answered: t('with “no such model”'),
    what: t('VS Code no longer offers the model {0}.', model),
    why: t('Nobody is signed in, its extension is not here any more, or the model was withdrawn.'),
    next: t('Sign in, or pick another.'),
  }),
  'not-allowed': (model) => ({
    answered: t('with “not allowed”'),
    what: t('Provider Playground may not use {0}.', model),
    why: t('The access was refused when VS Code asked for it, or nobody is signed in.'),
    next: t('Sign in, or allow it: Accounts in VS Code, Manage Language Model Access.'),
  }),
  blocked: (model) => ({
    answered: t('with “blocked”'),
    what: t('The request to {0} was blocked.', model),
    why: t('The limit of requests is reached, or its service refused what was asked.'),
    next: t('Wait before you run again: nothing is retried by itself, as it would use up your quota.'),
  }),
  quota: (model) => ({
    answered: t('with “quota used up”'),
    what: t('Your quota for {0} is used up.', model),
    why: t('Requests from here count against the quota of your account.'),
    next: t('Wait until it is renewed, or pick a model that needs none.'),
  }),
  rate: (model) => ({
    answered: t('with “too many requests”'),
    what: t('{0} takes no more requests for now.', model),
    why: t('Its service limits how many are sent in a time. VS Code does not tell how long that lasts.'),
    next: t('Wait before you run again: nothing is retried by itself, as it would use up your quota.'),
  }),
  'too-long': (model) => ({
    answered: t('with “too long”'),
    what: t('The conversation is too long for {0}.', model),
    why: t('The extension of the model may add instructions of its own, which count too.'),
    next: t('Shorten the conversation, offer fewer tools, or pick a model with a larger context.'),
  }),
  other: (model) => ({
    answered: t('with an error'),
    what: t('{0} gave no reply.', model),
    why: t('VS Code passes on the words of its extension, and nothing more.'),
    next: t('Try again, or pick another model.'),
  }),
};

/** Why the editor offers no model that could be used here. */
export function explainEmptyList(places: HostPlaces): ErrorExplanation {
  const what = t('VS Code offers no model that this extension can use.');
  const next = t('Sign in to GitHub Copilot, or install an extension that offers models. Then ask again.');
  const split = findSplit(places);
  if (split) {
    return {
      what,
      why:
        split === 'remote'
          ? t(
              'This window works on another machine, so VS Code runs two extension hosts, and Copilot is in the other one: an extension can use only the models of its own host.',
            )
          : t(
              'The setting `extensions.experimental.affinity` spreads extensions over several hosts, and Copilot is in another one: an extension can use only the models of its own host.',
            ),
      next: t(
        'Use them in a local window, or install the extension that offers them in the same host as this one.',
      ),
    };
  }
  if (!places.hasChat)
    return {
      what,
      why: t(
        'No extension here offers one. Copilot is not installed: VSCodium, code-server and similar editors come without it.',
      ),
      next,
    };
  return {
    what,
    why: t(
      'Copilot is installed and offers none: nobody is signed in, the plan or the policy of an organization does not allow other extensions to use its models, or it has not finished starting.',
    ),
    next,
  };
}
