// Validates an address while it is typed, by the library's own rules, so that what is accepted here works there.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isLoopback, originOf, secretIn } from '../../../connections';
import type { Engine } from '../../load-engine';
import type { TextCheck } from './quick-steps';

type Library = Pick<Engine, 'PROVIDER_CATALOG' | 'HOST_PLACEHOLDER' | 'library'>;

/**
 * @returns an error when nothing can be sent to the address, a warning when requests would travel unencrypted or to a path that
 * no server has.
 */
export function checkHost(
  { PROVIDER_CATALOG, HOST_PLACEHOLDER, library }: Library,
  provider: string,
  host: string,
): TextCheck {
  if (host.includes(HOST_PLACEHOLDER)) {
    return t('Replace {0} with the name of your resource.', HOST_PLACEHOLDER);
  }
  const entry = PROVIDER_CATALOG.find(({ id }) => id === provider);
  try {
    entry?.create({ host: host.trim(), model: '-', auth: 'none' });
  } catch (error) {
    return error instanceof library.InvalidOptionsError ? capitalize(error.explanation.why) : String(error);
  }
  if (secretIn(host.trim()) === 'query') {
    return t(
      'Leave the key out of the address, because settings are synced and shared. Give it with Set API Key or Set Secret Header instead.',
    );
  }
  const { basePath = '', findExcess } = entry?.address ?? {};
  const excess = findExcess?.(host.trim());
  if (excess !== undefined) {
    const message = t('Leave out {0}: requests add their own path, such as /chat/completions.', excess);
    return { message, severity: vscode.InputBoxValidationSeverity.Warning };
  }
  const origin = originOf(host.trim());
  if (origin?.startsWith('http:') && !isLoopback(origin)) {
    const message = t('Messages and replies are sent unencrypted to and from {0}.', origin);
    return { message, severity: vscode.InputBoxValidationSeverity.Warning };
  }
  if (basePath !== '' && /^https?:\/\/[^/]+\/*$/.test(host.trim())) {
    const message = t('Most servers of this protocol need {0} at the end.', basePath);
    return { message, severity: vscode.InputBoxValidationSeverity.Info };
  }
  return undefined;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
