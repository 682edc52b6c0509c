// What the library threw, in the words that a person reads. Part of the engine; knows no vscode.
import { PROVIDER_CATALOG, ProviderError } from '../../library';
import type { ErrorInfo } from '../../protocol';
import type { Connection } from './connection';

/** @returns undefined for what is no error of the library. */
export function describeProviderError(thrown: unknown, connection?: Connection): ErrorInfo | undefined {
  if (!(thrown instanceof ProviderError)) return undefined;
  const entry = PROVIDER_CATALOG.find(({ id }) => id === connection?.setting.provider);
  const isKeyless = connection !== undefined && entry?.needsKey(connection.setting) === false;
  return { ...tell(thrown, connection), next: nextStep(thrown, isKeyless) };
}

function tell(error: ProviderError, connection: Connection | undefined): Omit<ErrorInfo, 'next'> {
  const { code, story } = error;
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
