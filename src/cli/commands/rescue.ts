// The command that reads the tool calls in a reply: its options and its help.
import { t } from '@vscode/l10n';
import { toCommand } from '../command';
import { RESCUE_OPTIONS } from '../replies/options';

export const rescueCommand = toCommand({
  name: 'rescue',
  help: () => ({
    summary: t('read the tool calls that a model wrote as text'),
    operands: t('[file]'),
    about: t(
      'Reads a reply from a file or standard input and reports the calls in it, what was repaired, and what only looks like a call, with the reason. Sends nothing. Exit code: 0 calls were read, 1 none, 2 it could not begin.',
    ),
    examples: [
      ['provider-playground rescue reply.txt --tools tools.json', t('with the tools that were offered')],
      ['provider-playground rescue --json < reply.txt', t('the whole report as JSON')],
      ['provider-playground rescue --write-as hermes-json < reply.txt', t('as another model would write it')],
    ],
  }),
  options: RESCUE_OPTIONS,
  run: async (call) => {
    const { runRescue } = await import('../replies/run-rescue');
    return runRescue(call);
  },
});
