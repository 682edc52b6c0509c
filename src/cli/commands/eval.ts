// The command that evaluates playgrounds: its options and its help.
import { t } from '@vscode/l10n';
import { toCommand } from '../command';
import { CONNECTION_OPTIONS } from '../connections/options';
import { EVAL_OPTIONS } from '../evaluate/options';

export const evalCommand = toCommand({
  name: 'eval',
  help: () => ({
    summary: t('send every row of playgrounds to every lane, and judge the replies'),
    operands: t('[files or folders…]'),
    about: t(
      'Sends every row of playground files to every lane, as often as they say, and judges the replies by `expect`. Exit code: 0 gates met, 1 a gate not met, 2 nothing was sent, 3 not decidable, 130 Ctrl+C. 3 comes before 1 where a limit was reached, a shard is missing or too many samples have no verdict.',
    ),
    examples: [
      ['provider-playground eval weather.playground.json', t('one file')],
      ['provider-playground eval prompts --lane a --repeat 3 --estimate', t('what it would send and cost')],
      [
        `PROVIDER_PLAYGROUND_KEYS='{"https://api.openai.com":"sk-…"}' provider-playground eval prompts`,
        t('with a key, which goes to this address alone'),
      ],
      ['provider-playground eval prompts --reporter pretty --reporter junit=junit.xml', t('in a CI')],
      ['provider-playground eval prompts --shard 2/4 --blob blobs/2.jsonl', t('the second of four machines')],
      ['provider-playground eval prompts --resume blob.jsonl', t('go on after a crash')],
    ],
  }),
  options: { ...EVAL_OPTIONS, ...CONNECTION_OPTIONS },
  run: async (call) => {
    const { runEval } = await import('../evaluate/run-eval');
    return runEval(call);
  },
});
