// The command that sends one message: its options and its help.
import { t } from '@vscode/l10n';
import { toCommand } from '../command';
import { CONNECTION_OPTIONS } from '../connections/options';
import { RUN_OPTIONS } from '../run/options';

export const runCommand = toCommand({
  name: 'run',
  help: () => ({
    summary: t('send one message and show the reply as it arrives'),
    operands: t('[message]'),
    about: t(
      'Sends a message, from the command line or standard input, to a model, or what a playground says. Where tools have mocks, these answer its calls until it answers. The reply and its calls go to standard output, all else beside it. Exit code: 0 the model replied, 1 it did not, 2 it could not begin, 130 Ctrl+C.',
    ),
    examples: [
      ['provider-playground run "What is a tool call?" --model native-call', t('to the demo')],
      ['provider-playground run --connection own --json < question.txt', t('the whole turn, as JSON')],
      [
        'provider-playground run "What is the weather in Oslo?" --tools tools.json --temperature 0',
        t('with tools, and their mocks'),
      ],
      ['provider-playground run --playground weather.playground.json --lane a', t('what a playground says')],
    ],
  }),
  options: { ...RUN_OPTIONS, ...CONNECTION_OPTIONS },
  run: async (call) => {
    const { runRun } = await import('../run/run-run');
    return runRun(call);
  },
});
