// Judges what is there already, and sends nothing: the blobs of shards together, or one blob by other expectations.
import { t } from '@vscode/l10n';
import { resolve } from 'node:path';
import { toLabel } from '../../inspect';
import type { Batch, BatchChoice, JoinedBlobs } from '../../session';
import { findEvaluationPlaces, parseDocument, SYSTEM_CLOCK } from '../../session';
import { mergeBlobs } from '../blob/merge-blobs';
import { findBlobs, readBlobs } from '../blob/read-blob';
import type { Call, ExitCode } from '../command';
import { CommandError } from '../command';
import { readText } from '../files/near-files';
import { checkOutputs } from '../files/check-outputs';
import { describeReadError } from '../files/read-errors';
import type { PlaygroundFile } from '../files/find-playgrounds';
import { readReporters, reportFiles } from '../reporters';
import { finish, openBaseline, readDecision } from './finish';
import { openBatches } from './open-batches';
import type { JUDGE_OPTIONS, MERGE_OPTIONS } from './options';
import { readChoice, readGates } from './read-options';

/** @throws CommandError */
export async function runMerge({
  values,
  operands,
  terminal,
}: Call<typeof MERGE_OPTIONS>): Promise<ExitCode> {
  const paths = await findBlobs(operands, terminal.folder);
  return judgeBlobs({ values, paths, terminal, choice: {} });
}

/** @throws CommandError */
export async function runJudge({
  values,
  operands,
  terminal,
}: Call<typeof JUDGE_OPTIONS>): Promise<ExitCode> {
  const [path, ...more] = operands;
  if (path === undefined || more.length > 0)
    throw new CommandError(t('Name one blob.'), t('Join several with merge.'));
  const expect = values.expect === undefined ? undefined : await readExpect(terminal.folder, values.expect);
  return judgeBlobs({ values, paths: [path], terminal, choice: { expect } });
}

/** They quote why an evaluation ended, which may be the words of a server. */
const MAX_NOTE = 1_000;

interface JudgeParts extends Pick<Call<typeof MERGE_OPTIONS>, 'values' | 'terminal'> {
  paths: readonly string[];
  choice: Pick<BatchChoice, 'expect'>;
}

async function judgeBlobs({ values, paths, terminal, choice }: JudgeParts): Promise<ExitCode> {
  const reporters = readReporters(values.reporter, terminal.environment);
  const decision = readDecision(values);
  const baseline = await openBaseline(values, terminal);
  const { blobs, unreadable } = await readBlobs(terminal.folder, paths);
  const merged = mergeBlobs(blobs);
  const { head, samples, durationMs, notes } = merged;
  for (const note of notes) terminal.talk.write(`${toLabel(note, MAX_NOTE)}\n`);
  const batches = await openBatches({
    files: await readFiles(terminal.folder, merged),
    folder: terminal.folder,
    choice: { ...readChoice(toValues(head.choice)), ...readGates(values), ...choice },
    // No key is asked for: nothing is sent.
    views: (path) => head.lanes.filter(({ file }) => file === path).map(({ connection }) => connection),
    clock: SYSTEM_CLOCK,
  });
  checkPlan(batches, merged);
  const inputs = [...paths, ...batches.map(({ path }) => path), values.baseline ?? []].flat();
  await checkOutputs(terminal.folder, reportFiles(reporters), inputs);
  for (const batch of batches) {
    await batch.open(baseline?.of(batch.path));
    for (const entry of samples.get(batch.path) ?? []) if (batch.has(entry)) batch.take(entry);
  }
  const end = { startedAt: head.startedAt, durationMs };
  const missing = [...unreadable, ...merged.missing].map((text) => toLabel(text, MAX_NOTE));
  return finish({ batches, end, missing, isInterrupted: false, decision, baseline, reporters, terminal });
}

const toValues = ({ lane, row, tag, repeat }: JoinedBlobs['head']['choice']) => ({
  ...(lane && { lane: [...lane] }),
  ...(row && { row: [...row] }),
  ...(tag && { tag: [...tag] }),
  ...(repeat !== undefined && { repeat }),
});

async function readFiles(folder: string, { head }: JoinedBlobs): Promise<PlaygroundFile[]> {
  return Promise.all(
    head.files.map(async ({ path }) => {
      try {
        return { path, text: await readText(resolve(folder, path)) };
      } catch (error) {
        throw new CommandError(
          describeReadError(path, error),
          t('Run it in the folder in which the blobs were made, with the same files.'),
          t('What is expected stands there.'),
        );
      }
    }),
  );
}

/** What is expected may have changed, what is sent may not: then the replies are those of other questions. */
function checkPlan(batches: readonly Batch[], { head }: JoinedBlobs): void {
  const now = new Map(batches.map((batch) => [batch.path, batch.fingerprint]));
  const changed = head.files.filter(({ path, plan }) => now.get(path) !== plan).map(({ path }) => path);
  if (changed.length === 0) return;
  throw new CommandError(
    t('{0}: what it sends has changed since the blobs were made.', changed.join(', ')),
    t('Check out the commit of the blobs, or evaluate again. Only `expect`, gates and names may change.'),
  );
}

/** @param path A playground, or a list of expectations alone. @throws CommandError */
async function readExpect(folder: string, path: string): Promise<NonNullable<BatchChoice['expect']>> {
  const next = t('Give a playground, or a list of expectations.');
  let text: string;
  try {
    text = await readText(resolve(folder, path));
  } catch (error) {
    throw new CommandError(describeReadError(path, error), next);
  }
  // On the same line, so that the lines are those of the file.
  const whole = text.trimStart().startsWith('[') ? `{"evaluate":{"rows":[]},"expect":${text}}` : text;
  const { document, error } = parseDocument(whole);
  if (!document) throw new CommandError(`${path}:${error.line}: ${error.message}`, next);
  if (document.expect.length === 0) throw new CommandError(t('{0} expects nothing.', path), next);
  const lines = findEvaluationPlaces(whole)?.expectations ?? [];
  return { path, expectations: document.expect, lines };
}
