// What a person can do with connections in a terminal.
import { t } from '@vscode/l10n';
import type { Face } from '../../connections';
import { KEYS_VARIABLE } from './read-keys';

/** @param file The connections are in it. */
export function terminalFace(file: string): Face {
  const giveKey = t('give it in the environment by its origin: {0}', `${KEYS_VARIABLE}='{"https://…":"…"}'`);
  return {
    connections: file,
    correctSettings: t('correct it in {0}', file),
    giveKey,
    giveAnotherKey: t('give another one in {0}', KEYS_VARIABLE),
    // Only the editor stores values of headers.
    giveSecret: giveKey,
    afterFailure: t('report it, with the command line, if it happens again'),
    inspectReply: t('look at the reply: {0}', 'provider-playground run'),
    trustCertificate: t('name its file, or that of its authority, in `NODE_EXTRA_CA_CERTS`'),
    giveProxyUser: t('add `user:password@` to the address of the proxy in the environment'),
    diagnosis: 'provider-playground diagnose',
    proxy: '`HTTPS_PROXY`',
    noProxy: '`NO_PROXY`',
    whyStopped: t('Ctrl+C was pressed'),
  };
}
