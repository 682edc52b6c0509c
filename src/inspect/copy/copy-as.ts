// Prints a recorded request in one of the forms in which it can be copied, one line each. Pure.
import type { ExchangeRequest } from '../../types';
import type { ProtocolEntry } from '../find-protocol';
import type { ClientContext } from './clients';
import { toOllamaClient, toOpenAiClient, toProviderCode } from './clients';
import type { ClientForm, CopyForm, PlainForm } from './copy-forms';
import { chatProtocol, copyForms } from './copy-forms';
import type { CopyParts } from './copy-parts';
import { copyParts } from './copy-parts';
import { toBashCurl, toPowerShellCurl } from './curl';
import { toFetch, toPython } from './scripts';

const PLAIN: Readonly<Record<PlainForm, (parts: CopyParts) => string>> = {
  bash: toBashCurl,
  powershell: toPowerShellCurl,
  fetch: toFetch,
  python: toPython,
};

const CLIENTS: Readonly<Record<ClientForm, (parts: CopyParts, context: ClientContext) => string>> = {
  openai: toOpenAiClient,
  ollama: toOllamaClient,
  provider: toProviderCode,
};

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
  return protocol && { text: CLIENTS[form](parts, { protocol, sent }), variables };
}
