// Evaluates the playgrounds of a command line, from its options to its reports.
import { t } from '@vscode/l10n';
import { countOf, formatCost, formatLong, toLabel } from '../../inspect';
import type { EvaluationPlan } from '../../protocol';
import type { Batch, EarlyEnd, PlannedSample } from '../../session';
import { RequestGate } from '../../session';
import type { Call, ExitCode, Values } from '../command';
import { EXIT } from '../command';
import type { CommandConnections } from '../connections/open-connections';
import { openConnections } from '../connections/open-connections';
import type { CONNECTION_OPTIONS } from '../connections/options';
import { findPlaygrounds } from '../files/find-playgrounds';
import { toolsFrom } from '../files/near-files';
import { madeBy } from '../made-by';
import { readReporters, writeReports } from '../reporters';
import { SYSTEM_CLOCK } from '../system-clock';
import type { Terminal } from '../terminal';
import { LiveView } from './live-view';
import { checkKeys, openBatches, refuseNone } from './open-batches';
import type { CHOICE_OPTIONS, GATE_OPTIONS, LIMIT_OPTIONS, REPORT_OPTIONS, RunLimits } from './options';
import { readChoice, readLimits, readShare } from './options';
import { toReport } from './report';
import { BatchRuns } from './run-batches';

type EvalOptions = typeof CHOICE_OPTIONS &
  typeof CONNECTION_OPTIONS &
  typeof GATE_OPTIONS &
  typeof LIMIT_OPTIONS &
  typeof REPORT_OPTIONS;
export type EvalValues = Values<EvalOptions>;

const DEFAULT_NO_VERDICT = 0.05;

/** @throws CommandError */
export async function runEval({ values, operands, terminal }: Call<EvalOptions>): Promise<ExitCode> {
  const [choice, limits, reporters] = [
    readChoice(values),
    readLimits(values),
    readReporters(values.reporter),
  ];
  const maxNoVerdict = readShare('max-no-verdict', values['max-no-verdict']) ?? DEFAULT_NO_VERDICT;
  const connections = await openConnections(values, terminal);
  try {
    const files = await findPlaygrounds(operands, terminal.folder);
    const source = { files, folder: terminal.folder, views: () => connections.views, clock: SYSTEM_CLOCK };
    const batches = await openBatches({ ...source, choice });
    if (batches.length === 0) {
      if (values['pass-with-none']) return EXIT.done;
      refuseNone(await openBatches({ ...source, choice: {} }));
    }
    await Promise.all(batches.map((batch) => batch.open()));
    const samples = new Map(batches.map((batch) => [batch, batch.plan(() => true)]));
    if (values.list) return list(samples, terminal);
    if (values.estimate) return sayEstimate(samples, limits, terminal);
    checkKeys(batches, connections.origins);
    const startedAt = SYSTEM_CLOCK.now();
    const run = await runAll({
      batches,
      samples,
      connections,
      limits,
      terminal,
      isQuiet: values.quiet ?? false,
    });
    const durationMs = SYSTEM_CLOCK.now() - startedAt;
    const ends = batches.map(() => ({ startedAt, durationMs, stopped: run.early?.text }));
    const info = { madeBy: madeBy(), madeAt: new Date(SYSTEM_CLOCK.now()).toISOString() };
    const report = await toReport(batches, ends, info, {
      isInterrupted: run.isInterrupted,
      early: run.ends.map(({ text }) => t('It ended early: {0}.', text)),
      maxNoVerdict,
      isRegressionFailing: false,
    });
    await writeReports(reporters, report, terminal);
    return report.exit;
  } finally {
    await connections.close();
  }
}

type Samples = ReadonlyMap<Batch, readonly PlannedSample[]>;

function list(samples: Samples, { output }: Terminal): ExitCode {
  for (const [{ path }, planned] of samples)
    for (const { row, lane, repeat } of planned)
      output.write(`${path}\t${toLabel(row.id)}\t${toLabel(lane.config.id)}\t${repeat}\n`);
  return EXIT.done;
}

function sayEstimate(samples: Samples, { concurrency }: RunLimits, { output }: Terminal): ExitCode {
  for (const [batch, planned] of samples)
    output.write(
      `${batch.path}: ${describePlan(
        batch,
        batch.estimate(planned, () => concurrency),
      )}\n`,
    );
  return EXIT.done;
}

/** Such as `3 lanes × 40 rows × 5 = 600 requests; about 410000 tokens in, 60000 out; $0.31 for b, no rates for c`. */
function describePlan({ lanes, setting }: Batch, plan: Omit<EvaluationPlan, 'stored'>): string {
  const { rows, repeats, mostRequests, promptTokens, completionTokens, costUsd, durationMs } = plan;
  const sent =
    setting.evaluate.mode === 'agent'
      ? t('up to {0} requests', mostRequests)
      : t('{0} requests', mostRequests);
  const tokens = [
    ...(promptTokens === undefined ? [] : [t('about {0} tokens in', promptTokens)]),
    completionTokens === undefined ? t('unknown tokens out') : t('{0} out', completionTokens),
  ];
  const costs = lanes.map(({ config: { id } }) => {
    const cost = costUsd[id];
    if (cost === null) return t('no rates for {0}', id);
    return cost === undefined ? t('unknown cost for {0}', id) : t('{0} for {1}', formatCost(cost), id);
  });
  const time = durationMs === undefined ? t('unknown time') : t('about {0}', formatLong(durationMs));
  const size = `${countOf(lanes.length, t('{0} lane'), t('{0} lanes'))} × ${countOf(rows, t('{0} row'), t('{0} rows'))} × ${repeats}`;
  return `${size} = ${[sent, tokens.join(', '), costs.join(', '), time].join('; ')}`;
}

interface RunSource {
  batches: readonly Batch[];
  samples: Samples;
  connections: CommandConnections;
  limits: RunLimits;
  terminal: Terminal;
  isQuiet: boolean;
}

async function runAll({ batches, samples, connections, limits, terminal, isQuiet }: RunSource): Promise<{
  early: EarlyEnd | undefined;
  ends: readonly EarlyEnd[];
  isInterrupted: boolean;
}> {
  const view = isQuiet ? undefined : new LiveView(terminal.talk, SYSTEM_CLOCK);
  const runs = new BatchRuns({
    batches,
    samples,
    limits,
    services: {
      connections: connections.source,
      tools: toolsFrom(terminal.folder)(''),
      gate: new RequestGate(() => limits.concurrency),
      clock: SYSTEM_CLOCK,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      knownConnections: () => connections.views,
    },
    onSample: () => undefined,
    onChange: () => view?.changed(),
  });
  let isInterrupted = false;
  const endInterrupts = terminal.onInterrupt(() => {
    // The second one ends everything: what a reply still brings is lost.
    if (isInterrupted) process.exit(EXIT.interrupted);
    isInterrupted = true;
    view?.say(t('Stopping; the report follows. Press Ctrl+C again to end at once.'));
    runs.stop({ reason: 'person', text: t('stopped by you') });
  });
  view?.follow(runs);
  const early = await runs.run();
  view?.end();
  endInterrupts();
  return { early, ends: [...(early ? [early] : []), ...runs.ownEnds], isInterrupted };
}
