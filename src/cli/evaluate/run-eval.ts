// Evaluates the playgrounds of a command line, from its options to its reports.
import { t } from '@vscode/l10n';
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { countOf, toLabel } from '../../inspect';
import type { Batch, BlobHead, PlannedSample, Shard } from '../../session';
import { BLOB_FORMAT, SYSTEM_CLOCK } from '../../session';
import type { Reuse } from '../blob/resume-blob';
import {
  checkNothingLost,
  checkSameShard,
  nothingToReuse,
  readResumed,
  reuseSamples,
} from '../blob/resume-blob';
import { readShard, unitsOf } from '../blob/shards';
import { blobPath, BlobWriter } from '../blob/write-blob';
import type { Call, ExitCode, Values } from '../command';
import { CommandError, EXIT } from '../command';
import { openConnections } from '../connections/open-connections';
import type { CONNECTION_OPTIONS } from '../connections/options';
import type { OutputFile } from '../files/check-outputs';
import { checkOutputs } from '../files/check-outputs';
import type { FoundPlayground, PlaygroundFile } from '../files/find-playgrounds';
import { findPlaygrounds } from '../files/find-playgrounds';
import { VERSION } from '../made-by';
import type { WantedReport } from '../reporters';
import { readReporters, reportFiles } from '../reporters';
import type { Stream, Terminal } from '../terminal';
import { describePlan } from './describe-plan';
import { finish, openBaseline, readDecision } from './finish';
import { checkKeys, openBatches, refuseNone, refuseUnknown } from './open-batches';
import type { EVAL_OPTIONS } from './options';
import type { RunLimits } from './read-options';
import { readChoice, readGates, readLimits } from './read-options';
import { sendSamples } from './send-samples';

type EvalOptions = typeof EVAL_OPTIONS & typeof CONNECTION_OPTIONS;
type EvalValues = Values<EvalOptions>;
type Samples = ReadonlyMap<Batch, readonly PlannedSample[]>;

/** What is evaluated, and how much of it is there already. */
interface Plan {
  files: readonly PlaygroundFile[];
  batches: readonly Batch[];
  samples: Samples;
  shard: Shard | undefined;
  reuse: Reuse;
}

/** A blob that is resumed gets the samples that it lacks. */
const outputsOf = (values: EvalValues, reporters: readonly WantedReport[]): OutputFile[] => [
  ...(values.blob === undefined || isAddedTo(values) ? [] : [{ path: values.blob, option: '--blob' }]),
  ...reportFiles(reporters),
];

function inputsOf(batches: readonly Batch[], values: EvalValues): string[] {
  const { baseline = [], resume = [], connections = [], provider = [] } = values;
  const files = batches.flatMap(({ path, places: { rowsFile } }) =>
    rowsFile === undefined ? [path] : [path, posix.join(posix.dirname(path), rowsFile)],
  );
  return [...files, baseline, resume, connections, provider].flat();
}

/** @throws CommandError */
export async function runEval({ values, operands, terminal }: Call<EvalOptions>): Promise<ExitCode> {
  const limits = readLimits(values);
  const reporters = readReporters(values.reporter, terminal.environment);
  const decision = readDecision(values);
  const baseline = await openBaseline(values, terminal);
  const connections = await openConnections(values, terminal);
  try {
    const views = () => connections.views;
    const files = await findPlaygrounds(operands, terminal.folder);
    const source = { files, folder: terminal.folder, views, clock: SYSTEM_CLOCK };
    const choice = readChoice(values);
    const batches = await openBatches({ ...source, choice: { ...choice, ...readGates(values) } });
    if (batches.length === 0) {
      if (values['pass-with-none']) return EXIT.done;
      refuseNone(await openBatches({ ...source, choice: {} }));
    }
    refuseUnknown(batches, choice);
    if (!values.quiet) sayWarnings(batches, files, terminal.talk);
    await checkOutputs(terminal.folder, outputsOf(values, reporters), inputsOf(batches, values));
    for (const batch of batches) await batch.open(baseline?.of(batch.path));
    const plan = await toPlan(files, batches, values, terminal);
    if (plan.reuse.note !== '') terminal.talk.write(`${plan.reuse.note}\n`);
    if (values.list) return list(plan.samples, terminal);
    if (values.estimate) {
      sayEstimate(plan.samples, limits, terminal.output);
      return EXIT.done;
    }
    checkKeys(batches, connections);
    if (!values.quiet) sayEstimate(plan.samples, limits, terminal.talk);
    const startedAt = SYSTEM_CLOCK.now();
    const blob = openBlob(plan, values, terminal, { startedAt, redactor: connections.redactor });
    const { ends, isInterrupted, isBailed } = await sendSamples({
      ...plan,
      connections,
      limits,
      terminal,
      isQuiet: values.quiet ?? false,
      onSample: (batch, entry) => {
        blob?.add({ file: batch.path, entry });
        return blob?.failure;
      },
    });
    const durationMs = SYSTEM_CLOCK.now() - startedAt;
    const [stopped] = ends.map(({ text }) => text);
    blob?.end({ durationMs, stopped });
    if (plan.shard) return sayShard(plan, terminal, { isInterrupted, failure: blob?.failure });
    const early = ends.map(({ text }) => t('It ended early: {0}', toSentence(text)));
    const end = { startedAt, durationMs, stopped };
    const ended = { end, early, isInterrupted, isBailed };
    return await finish({ batches, ...ended, decision, baseline, reporters, terminal });
  } finally {
    await connections.close();
  }
}

const MAX_REASON = 1_000;

/** @param text May have the words of a server. */
const toSentence = (text: string): string => {
  const line = toLabel(text, MAX_REASON);
  return /[.!?…]$/.test(line) ? line : `${line}.`;
};

async function toPlan(
  files: readonly PlaygroundFile[],
  batches: readonly Batch[],
  values: EvalValues,
  { folder, environment }: Terminal,
): Promise<Plan> {
  const { resume } = values;
  const resumed = resume === undefined ? undefined : await readResumed(folder, resume);
  const shard = values.shard === undefined ? resumed?.head.shard : readShard(values.shard, environment);
  if (resumed) checkSameShard(resumed, shard, { isTarget: isAddedTo(values) });
  if (shard && values.blob === undefined && resume === undefined)
    throw new CommandError(
      t('--shard needs a blob: its samples are judged with those of the others.'),
      t('Add --blob.'),
    );
  const reuse = resumed ? reuseSamples(resumed, batches) : nothingToReuse(resume);
  const byPath = new Map(batches.map((batch) => [batch.path, batch]));
  for (const { file, entry } of reuse.kept) byPath.get(file)?.take(entry);
  const units = batches.flatMap(({ path, rows }) => rows.map(({ id: rowId }) => ({ path, rowId })));
  const own = new Map<string, Set<string>>();
  for (const { path, rowId } of shard ? unitsOf(units, shard) : units)
    own.set(path, (own.get(path) ?? new Set()).add(rowId));
  const samples = new Map(
    batches.map((batch) => [batch, batch.plan((rowId) => own.get(batch.path)?.has(rowId) ?? false)]),
  );
  return { files, batches, samples, shard, reuse };
}

/** Of the files that are evaluated. */
function sayWarnings(batches: readonly Batch[], files: readonly FoundPlayground[], talk: Stream): void {
  const paths = new Set(batches.map(({ path }) => path));
  for (const { path, warnings } of files)
    if (paths.has(path))
      for (const warning of warnings) talk.write(`${t('Warning: {0}', toLabel(warning, MAX_REASON))}\n`);
}

/** Whether the blob that is resumed gets the new samples. */
const isAddedTo = ({ blob, resume }: EvalValues): boolean =>
  resume !== undefined && (blob === undefined || blob === resume);

function openBlob(
  { files, batches, shard, reuse }: Plan,
  values: EvalValues,
  { folder }: Terminal,
  {
    startedAt,
    redactor,
  }: Pick<BlobHead, 'startedAt'> & { redactor: ConstructorParameters<typeof BlobWriter>[3] },
): BlobWriter | undefined {
  const { blob, resume, lane, row, tag, repeat } = values;
  const path = blob ?? resume;
  if (path === undefined) return undefined;
  if (isAddedTo(values)) checkNothingLost(reuse, path);
  const texts = new Map(files.map((file) => [file.path, file.text]));
  const plans = batches.map((batch) => ({
    path: batch.path,
    sha256: sha256(texts.get(batch.path) ?? ''),
    plan: batch.fingerprint,
  }));
  const head: BlobHead = {
    kind: 'evaluation',
    format: BLOB_FORMAT,
    version: VERSION,
    plan: sha256(JSON.stringify(plans.map((each) => [each.path, each.plan]))),
    ...(shard && { shard }),
    choice: { lane, row, tag, repeat },
    files: plans,
    lanes: batches.flatMap((batch) =>
      batch.lanes.map(({ config: { id }, model, connection }) => ({
        file: batch.path,
        id,
        model,
        connection,
      })),
    ),
    startedAt,
  };
  return new BlobWriter(blobPath(folder, path), head, reuse.kept, redactor);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The others have to come, too, before anything is decided. */
function sayShard(
  { shard, samples, reuse }: Plan,
  { talk }: Terminal,
  { isInterrupted, failure }: { isInterrupted: boolean; failure: string | undefined },
): ExitCode {
  const count = [...samples.values()].reduce((sum, each) => sum + each.length, reuse.kept.length);
  const part = t('Shard {0} of {1}', shard?.index ?? 1, shard?.total ?? 1);
  const next = failure ?? t('`merge` decides.');
  talk.write(`${part}: ${countOf(count, t('{0} sample'), t('{0} samples'))}. ${next}\n`);
  return isInterrupted ? EXIT.interrupted : failure === undefined ? EXIT.done : EXIT.undecided;
}

function list(samples: Samples, { output }: Terminal): ExitCode {
  for (const [{ path }, planned] of samples)
    for (const { row, lane, repeat } of planned)
      output.write(`${path}\t${toLabel(row.id)}\t${toLabel(lane.config.id)}\t${repeat}\n`);
  return EXIT.done;
}

function sayEstimate(samples: Samples, { concurrency }: RunLimits, stream: Stream): void {
  for (const [batch, planned] of samples)
    stream.write(
      `${batch.path}: ${describePlan(
        batch,
        batch.estimate(planned, () => concurrency),
        planned.length,
      )}\n`,
    );
}
