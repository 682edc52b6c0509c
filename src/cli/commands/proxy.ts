// The command that records another program: its options and its help.
import { t } from '@vscode/l10n';
import { toCommand } from '../command';
import { PROXY_OPTIONS } from '../proxy/options';

export const proxyCommand = toCommand({
  name: 'proxy',
  help: () => ({
    summary: t('show what another program sends to a server, and what comes back'),
    operands: '',
    about: t(
      'Gives you an address to set in a program instead of that of its server. Everything it sends goes on to the server unchanged, and so does the reply; each request is one line here. The address works on this computer only, and until Ctrl+C. Exit code: 0 stopped by Ctrl+C, 2 it could not begin.',
    ),
    examples: [
      ['provider-playground proxy --target http://127.0.0.1:8080/v1', t('a server on this computer')],
      [
        'provider-playground proxy --target http://127.0.0.1:11434 --record agent.recording.jsonl',
        t('into a file that VS Code shows'),
      ],
      [
        'provider-playground proxy --target http://127.0.0.1:8080/v1 --repair',
        t('for a server that returns calls as text'),
      ],
      [
        `PROVIDER_PLAYGROUND_KEYS='{"https://api.openai.com":"sk-…"}' provider-playground proxy --target https://api.openai.com/v1`,
        t('with a key for programs that send none'),
      ],
    ],
  }),
  options: PROXY_OPTIONS,
  run: async (call) => {
    const { runProxy } = await import('../proxy/run-proxy');
    return runProxy(call);
  },
});
