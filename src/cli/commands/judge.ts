// The command that judges a blob again: its options and its help.
import { t } from '@vscode/l10n';
import { toCommand } from '../command';
import { JUDGE_OPTIONS } from '../evaluate/options';

export const judgeCommand = toCommand({
  name: 'judge',
  help: () => ({
    summary: t('judge a blob by what is expected now, without a request'),
    operands: t('<blob>'),
    about: t(
      'Judges the samples of a blob by what the playgrounds here expect, or by --expect. Sends nothing. Exit code: 0 gates met, 1 a gate not met, 2 not readable, 3 not decidable: a shard is missing or not whole, or too many samples have no verdict, whatever the others say.',
    ),
    examples: [
      ['provider-playground judge blob.jsonl', t('after `expect` was edited')],
      ['provider-playground judge blob.jsonl --expect strict.json', t('by other expectations')],
    ],
  }),
  options: JUDGE_OPTIONS,
  run: async (call) => {
    const { runJudge } = await import('../evaluate/run-merge');
    return runJudge(call);
  },
});
