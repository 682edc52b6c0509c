// What a person can do with connections in VS Code. Part of the engine; independent of vscode.
import { t } from '@vscode/l10n';
import type { Face } from '../../connections';

export const editorFace = (): Face => ({
  connections: 'providerPlayground.connections',
  correctSettings: t('correct it in the settings'),
  giveKey: t('use Set API Key'),
  giveAnotherKey: t('set another one'),
  giveSecret: t('use Set API Key, or Set Secret Header'),
  afterFailure: t('check the log, and reload the window if it happens again'),
  inspectReply: t('look at the reply in a playground'),
  trustCertificate: t(
    'add it, or its authority, to the certificates of this machine (with `http.systemCertificates` on they are trusted), or name its file in `NODE_EXTRA_CA_CERTS` before VS Code starts; then reload the window',
  ),
  giveProxyUser: t('add `user:password@` to the address in `http.proxy`, or set `http.proxyAuthorization`'),
  diagnosis: t('Diagnose Connection'),
  proxy: '`http.proxy`',
  noProxy: '`http.noProxy`',
  whyStopped: t('Stop was pressed, or the panel was closed'),
});
