// Whatever a run or a request failed with, in the words that a person reads: what happened, why, what next.
import type { ErrorInfo } from '../../protocol';
import type { ProviderError } from '../../library';
import type { Connection } from '../connections/connection';
import { ConnectionProblem } from '../connections/connection-problem';
import { loadedEngine } from '../load-engine';
import { LostTextError } from './cut-texts';

/** @param connection What it was about, for the title. */
export async function toErrorInfo(thrown: unknown, connection?: Connection): Promise<ErrorInfo> {
  if (thrown instanceof ConnectionProblem) return ofConnection(thrown);
  if (thrown instanceof LostTextError) return LOST_TEXT;
  const engine = await loadedEngine()?.catch(() => undefined);
  if (engine && thrown instanceof engine.ProviderError) {
    const entry = engine.PROVIDER_CATALOG.find(({ id }) => id === connection?.setting.provider);
    const isKeyless = connection !== undefined && entry?.needsKey(connection.setting) === false;
    return { ...ofProvider(thrown, connection), next: nextStep(thrown, isKeyless) };
  }
  return {
    code: 'internal',
    title: 'Something in the extension failed',
    what: 'The extension could not do what was asked.',
    why: thrown instanceof Error ? thrown.message : String(thrown),
    next: 'Look into the log, and reload the window if it happens again.',
  };
}

const LOST_TEXT: ErrorInfo = {
  code: 'history-cut',
  title: 'The conversation is not complete any more',
  what: 'A long reply was cut for the panel, and the rest of it is not kept any more.',
  why: 'Nothing was sent: the model would have read the cut text as its own words.',
  next: 'Clear the conversation, or edit a message before that reply and send it again.',
};

function ofConnection({ kind, message, next: given }: ConnectionProblem): ErrorInfo {
  const next = {
    unknown: 'Choose another connection.',
    setting: 'Correct it in the settings.',
    key: 'Press Set API key.',
  };
  const title = {
    unknown: 'The connection is gone',
    setting: 'The connection cannot be used',
    key: 'An API key is missing',
  };
  return {
    code: `connection-${kind}`,
    title: title[kind],
    what: message,
    why: 'Nothing was sent.',
    next: given ?? next[kind],
  };
}

function ofProvider(error: ProviderError, connection: Connection | undefined): Omit<ErrorInfo, 'next'> {
  const { code, story, partial } = error;
  const label = connection?.label ?? 'the server';
  const last = error.ledger.at(-1);
  const titles: Record<ProviderError['code'], string> = {
    http: `${label} answered with an error`,
    network: last?.status === undefined ? `No connection to ${label}` : `The answer of ${label} broke off`,
    timeout: `${label} took too long`,
    aborted: 'Stopped',
    'response-format': `The answer of ${label} cannot be read`,
    'truncated-stream': `The answer of ${label} broke off`,
    'response-too-large': `The answer of ${label} is too large`,
    'invalid-options': 'The connection cannot be used as it is set',
    unsupported: `${label} cannot do this`,
    'budget-exceeded': 'The budget is used up',
  };
  const why = code === 'aborted' ? 'Stop was pressed, or the panel was closed.' : story.why;
  return {
    code,
    title: capitalize(titles[code]),
    what: story.what,
    why,
    ...(code !== 'aborted' && { causes: causesOf(error) }),
    ...(partial && { partial }),
  };
}

function nextStep({ code, ledger, story }: ProviderError, isKeyless: boolean): string {
  if (code === 'invalid-options') return 'Correct it in the settings.';
  // the library cannot know that a connection has no key to set
  if (code === 'http' && ledger.at(-1)?.status === 401 && isKeyless) {
    return 'This connection sends no key. If the server wants one, set it up as a hosted connection with `auth`.';
  }
  return story.next;
}

/** Names and codes, outermost first; messages of foreign errors are left out, as they may repeat what was sent. */
function causesOf(error: Error): string[] {
  const causes: string[] = [];
  for (let cause = error.cause; cause instanceof Error && causes.length < 8; cause = cause.cause) {
    const { code } = cause as Error & { code?: unknown };
    causes.push([cause.name, typeof code === 'string' ? code : undefined].filter(Boolean).join(' '));
  }
  return causes;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
