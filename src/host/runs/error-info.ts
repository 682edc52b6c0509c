// Whatever a run or a request failed with, in the words that a person reads: what happened, why, what next.
import type { ErrorInfo } from '../../protocol';
import type { ProviderError } from '../../library';
import type { Connection } from '../connections/connection';
import { ConnectionProblem } from '../connections/connection-problem';
import { loadedEngine } from '../load-engine';

/** @param connection What it was about, for the title. */
export async function toErrorInfo(thrown: unknown, connection?: Connection): Promise<ErrorInfo> {
  if (thrown instanceof ConnectionProblem) return ofConnection(thrown);
  const engine = await loadedEngine()?.catch(() => undefined);
  if (engine && thrown instanceof engine.ProviderError) return ofProvider(thrown, connection);
  return {
    code: 'internal',
    title: 'Something in the extension failed',
    what: 'The extension could not do what was asked.',
    why: thrown instanceof Error ? thrown.message : String(thrown),
    next: 'Look into the log, and reload the window if it happens again.',
  };
}

function ofConnection({ kind, message }: ConnectionProblem): ErrorInfo {
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
    next: next[kind],
  };
}

function ofProvider(error: ProviderError, connection: Connection | undefined): ErrorInfo {
  const { code, story } = error;
  const label = connection?.label ?? 'the server';
  const titles: Record<ProviderError['code'], string> = {
    http: `${label} answered with an error`,
    network: `No connection to ${label}`,
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
  const next = code === 'invalid-options' ? 'Correct it in the settings.' : story.next;
  return {
    code,
    title: capitalize(titles[code]),
    what: story.what,
    why,
    next,
    ...(code !== 'aborted' && { causes: causesOf(error) }),
  };
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
