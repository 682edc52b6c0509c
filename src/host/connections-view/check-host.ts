// Validates an address while it is typed, by the library's own rules, so that what is accepted here works there.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isLoopback, originOf } from '../connections/origin';
import type { Engine } from '../load-engine';
import { PLACEHOLDER } from './presets';
import type { TextCheck } from './quick-steps';

type Library = Pick<Engine, 'PROVIDER_CATALOG' | 'library'>;

/** @returns an error when nothing can be sent to the address, a warning when requests would travel unencrypted. */
export function checkHost(
  { PROVIDER_CATALOG, library }: Library,
  provider: 'local-host' | 'hosted-api',
  host: string,
): TextCheck {
  if (host.includes(PLACEHOLDER)) {
    return t('Replace {0} with the name of your resource.', PLACEHOLDER);
  }
  const entry = PROVIDER_CATALOG.find(({ id }) => id === provider);
  try {
    entry?.create({ host: host.trim(), model: '-', auth: 'none' });
  } catch (error) {
    return error instanceof library.InvalidOptionsError ? capitalize(error.explanation.why) : String(error);
  }
  const origin = originOf(host.trim());
  if (origin?.startsWith('http:') && !isLoopback(origin)) {
    const message = t('Messages and replies are sent unencrypted to and from {0}.', origin);
    return { message, severity: vscode.InputBoxValidationSeverity.Warning };
  }
  if (provider === 'hosted-api' && /^https?:\/\/[^/]+\/*$/.test(host.trim())) {
    const message = t('Most servers of this protocol need /v1 at the end.');
    return { message, severity: vscode.InputBoxValidationSeverity.Info };
  }
  return undefined;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
