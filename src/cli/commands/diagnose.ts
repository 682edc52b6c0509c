// The command that diagnoses a connection: its options and its help.
import { t } from '@vscode/l10n';
import { toCommand } from '../command';
import { DIAGNOSE_OPTIONS } from '../connections/options';

export const diagnoseCommand = toCommand({
  name: 'diagnose',
  help: () => ({
    summary: t('check a connection step by step, from its settings to its model'),
    operands: t('<connection>'),
    about: t(
      'Checks a connection step by step, in the order in which a request depends on them: settings and key, the way to the server, the server and its models, and the model, with a few tiny requests. Each finding says what to do. Exit code: 0 nothing failed, 1 something did, 2 it could not begin, 130 Ctrl+C.',
    ),
    examples: [
      ['provider-playground diagnose demo --model native-call', t('a connection that always works')],
      ['provider-playground diagnose own --model qwen3:8b', t('with another model than its own')],
      ['provider-playground diagnose own --json', t('every finding, as JSON')],
    ],
  }),
  options: DIAGNOSE_OPTIONS,
  run: async (call) => {
    const { runDiagnose } = await import('../connections/run-diagnose');
    return runDiagnose(call);
  },
});
