// Prints a recorded request in one of the forms in which it can be copied, one line each. Pure.
import type { ExchangeRequest } from '../../types';
import type { ProtocolEntry } from '../find-protocol';
import type { ClientContext } from './clients';
import { toOllamaClient, toProviderCode } from './clients';
import type { CopyForm, PlainForm } from './copy-forms';
import { chatProtocol, copyForms } from './copy-forms';
import type { CopyParts } from './copy-parts';
import { copyParts } from './copy-parts';
import { toBashCurl, toPowerShellCurl } from './curl';
import { toOfficialClient } from './official-clients';
import { toFetch, toPython } from './scripts';

const PLAIN: Readonly<Record<PlainForm, (parts: CopyParts) => string>> = {
  bash: toBashCurl,
  powershell: toPowerShellCurl,
  fetch: toFetch,
  python: toPython,
};

type OwnForm = 'ollama' | 'provider';

const CLIENTS: Readonly<Record<OwnForm, (parts: CopyParts, context: ClientContext) => string>> = {
  ollama: toOllamaClient,
  provider: toProviderCode,
};

const isOwn = (form: CopyForm): form is OwnForm => Object.hasOwn(CLIENTS, form);
const isPlain = (form: CopyForm): form is PlainForm => Object.hasOwn(PLAIN, form);

export interface CopyOptions {
  /** Name of the environment variable that contains the key. */
  variable: string;
  /** Neutral sampling key → key in the request. */
  sent: Readonly<Record<string, string>>;
  catalog: readonly ProtocolEntry[];
}

/** @returns undefined when the form does not fit the request */
export function copyAs(
  form: CopyForm,
  request: ExchangeRequest,
  { variable, sent, catalog }: CopyOptions,
): { text: string; variables: string[] } | undefined {
  if (!copyForms(request, catalog).includes(form)) return undefined;
  const protocol = chatProtocol(request, catalog);
  const parts = copyParts(request, { variable, keyHeaders: protocol?.auth.map(({ header }) => header) });
  const { variables } = parts;
  if (isPlain(form)) return { text: PLAIN[form](parts), variables };
  if (!protocol) return undefined;
  const text = isOwn(form)
    ? CLIENTS[form](parts, { protocol, sent })
    : toOfficialClient(form, parts, protocol);
  return { text, variables };
}
