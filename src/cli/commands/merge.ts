// The command that joins the blobs of shards: its options and its help.
import { t } from '@vscode/l10n';
import { toCommand } from '../command';
import { MERGE_OPTIONS } from '../evaluate/options';

export const mergeCommand = toCommand({
  name: 'merge',
  help: () => ({
    summary: t('join the blobs of several machines, judge and report'),
    operands: t('<blobs or folders…>'),
    about: t(
      'Joins the blobs that eval --shard has written, judges all samples by what the playgrounds here expect, and reports. Sends nothing. Exit code: 0 gates met, 1 a gate not met, 2 not the same evaluation, 3 not decidable: a shard is missing or not whole, or too many samples have no verdict, whatever the others say.',
    ),
    examples: [
      [
        'provider-playground merge blobs --reporter pretty --reporter junit=junit.xml',
        t('a folder of blobs'),
      ],
      [
        'provider-playground merge blobs --baseline main.jsonl --fail-on regression',
        t('beside an earlier evaluation'),
      ],
    ],
  }),
  options: MERGE_OPTIONS,
  run: async (call) => {
    const { runMerge } = await import('../evaluate/run-merge');
    return runMerge(call);
  },
});
