// Prints a recorded request in one of the forms in which it can be copied, one line each. Pure.
import type { ExchangeRequest } from '../../types';
import type { ReadOptions } from './clients';
import { toOllamaClient, toOpenAiClient, toProviderCode } from './clients';
import type { CopyForm } from './copy-forms';
import { copyForms } from './copy-forms';
import type { CopyParts } from './copy-parts';
import { copyParts } from './copy-parts';
import { toBashCurl, toPowerShellCurl } from './curl';
import { toFetch, toPython } from './scripts';

type Print = (parts: CopyParts, read: ReadOptions) => string;

const PRINTERS: Readonly<Record<CopyForm, Print>> = {
  bash: toBashCurl,
  powershell: toPowerShellCurl,
  fetch: toFetch,
  python: toPython,
  openai: toOpenAiClient,
  ollama: toOllamaClient,
  provider: toProviderCode,
};

/**
 * @param options.variable Name of the environment variable that contains the key.
 * @returns undefined when the form does not fit the request
 */
export function copyAs(
  form: CopyForm,
  request: ExchangeRequest,
  { variable, ...read }: ReadOptions & { variable: string },
): { text: string; variables: string[] } | undefined {
  if (!copyForms(request).includes(form)) return undefined;
  const parts = copyParts(request, variable);
  return { text: PRINTERS[form](parts, read), variables: parts.variables };
}
