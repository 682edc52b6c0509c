// Lists the forms in which a recorded request can be copied, and which of them fit it. Pure. Does not print them.
import type { ExchangeRequest } from '../../types';
import { bodyValue } from './copy-parts';

export type CopyForm = 'bash' | 'powershell' | 'fetch' | 'python' | 'openai' | 'ollama' | 'provider';

type Side = 'hosted' | 'local';

/** The protocol that a form needs; undefined: fits any request. */
const SIDES: Readonly<Record<CopyForm, Side | 'both' | undefined>> = {
  bash: undefined,
  powershell: undefined,
  fetch: undefined,
  python: undefined,
  openai: 'hosted',
  ollama: 'local',
  provider: 'both',
};

/** The ends of the paths of chat requests. */
export const CHAT_PATHS: Readonly<Record<Side, RegExp>> = {
  hosted: /\/chat\/completions$/,
  local: /\/api\/chat$/,
};

export function copyForms(request: ExchangeRequest): CopyForm[] {
  const side = sideOf(request);
  return (Object.keys(SIDES) as CopyForm[]).filter((form) => {
    const needed = SIDES[form];
    // The client of Ollama drops a query.
    if (form === 'ollama' && request.url.includes('?')) return false;
    return needed === undefined || (side !== undefined && (needed === 'both' || needed === side));
  });
}

/** The protocol of a chat request; undefined when it is no chat. */
function sideOf({ url, body }: ExchangeRequest): Side | undefined {
  const [path = ''] = url.split(/[?#]/, 1);
  const value = bodyValue(body)?.value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (CHAT_PATHS.hosted.test(path)) return 'hosted';
  return CHAT_PATHS.local.test(path) ? 'local' : undefined;
}
