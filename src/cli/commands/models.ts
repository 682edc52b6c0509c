// The command that lists the models of connections: its options and its help.
import { t } from '@vscode/l10n';
import { toCommand } from '../command';
import { MODELS_OPTIONS } from '../connections/options';

export const modelsCommand = toCommand({
  name: 'models',
  help: () => ({
    summary: t('list the connections and the models of each'),
    operands: t('[connections…]'),
    about: t(
      'Asks each connection, or those that are named, for its models: a connection and a model in each line. Exit code: 0 all answered, 1 one did not, 2 it could not begin.',
    ),
    examples: [
      ['provider-playground models', t('all connections')],
      ['provider-playground models demo --json', t('one of them, as JSON')],
    ],
  }),
  options: MODELS_OPTIONS,
  run: async (call) => {
    const { runModels } = await import('../connections/run-models');
    return runModels(call);
  },
});
