// Says before an evaluation starts what it would send and cost: from the samples that are there, else from the length of the
// texts. What nobody can know is left out, never 0.
import { t } from '@vscode/l10n';
import { billingOf, DEFAULT_STEPS, isHosted } from '../../protocol';
import type { EvaluationPlan } from '../../protocol';
import type { RefusalError } from '../refusal';
import { refuse } from '../refusal';
import type { SampleEntry } from './sample-entry';
import type { PlanSource } from './plan-samples';
import { countPlanned } from './plan-samples';
import type { EvaluationSetting, FilledRow, LaneSetting } from './setting';
import { medianOf } from './spending';

/** What a start above these is confirmed for. */
const MAX_REQUESTS = 50;
const MAX_COST_USD = 0.5;

/** A rule of thumb for English text. */
const CHARACTERS_PER_TOKEN = 4;
/** Number of rows whose texts are measured. */
const MAX_MEASURED = 100;

interface LaneEstimate {
  samples: number;
  promptTokens: number;
  completionTokens: number | undefined;
  costUsd: number | null | undefined;
  timeMs: number | undefined;
  mostRequests: number;
}

export interface EstimateSource {
  setting: EvaluationSetting;
  /** Number of samples that would be sent, by lane id. */
  todo: ReadonlyMap<string, number>;
  /** Of the same lanes and settings. */
  earlier: Iterable<SampleEntry>;
  /** Number of requests to the origin of a connection at once. */
  limitOf: (connectionId: string) => number;
}

export function estimate({
  setting,
  todo,
  earlier,
  limitOf,
}: EstimateSource): Omit<EvaluationPlan, 'stored' | 'left'> {
  const spentByLane = new Map<string, SampleEntry[]>();
  for (const entry of earlier) {
    const known = spentByLane.get(entry.laneId);
    if (known) known.push(entry);
    else spentByLane.set(entry.laneId, [entry]);
  }
  const lanes = setting.lanes.map((lane) => {
    const samples = todo.get(lane.config.id) ?? 0;
    return { lane, ...estimateLane(setting, lane, samples, spentByLane.get(lane.config.id) ?? []) };
  });
  const costs = lanes.flatMap(({ lane, costUsd }) =>
    costUsd === undefined ? [] : [[lane.config.id, costUsd] as const],
  );
  const mostRequests = sumOf(lanes.map((lane) => lane.mostRequests)) ?? 0;
  const ofQuota = lanes.filter(({ lane }) => lane.connection.usesQuota);
  const quotaRequests = sumOf(ofQuota.map((lane) => lane.mostRequests)) ?? 0;
  const knownCostUsd = sumOf(costs.map(([, cost]) => cost ?? 0)) ?? 0;
  const isUnknown = lanes.some(
    ({ lane, samples, costUsd }) => samples > 0 && isHosted(lane.connection) && typeof costUsd !== 'number',
  );
  const promptTokens = sumOf(lanes.map((lane) => lane.promptTokens));
  const completionTokens = sumOf(lanes.map((lane) => lane.completionTokens));
  const durationMs = durationOf(lanes, limitOf);
  return {
    rows: setting.rows.length,
    repeats: setting.evaluate.repeat,
    samples: setting.sampleCount,
    mostRequests,
    ...(quotaRequests > 0 && { quotaRequests }),
    ...(promptTokens !== undefined && { promptTokens: Math.round(promptTokens) }),
    ...(completionTokens !== undefined && { completionTokens: Math.round(completionTokens) }),
    costUsd: Object.fromEntries(costs),
    ...(durationMs !== undefined && { durationMs: Math.round(durationMs) }),
    needsConfirmation:
      mostRequests > MAX_REQUESTS || knownCostUsd > MAX_COST_USD || isUnknown || quotaRequests > 0,
  };
}

/** What a start would send; when nothing is left to be sent, what a new evaluation would. */
export function toPlan(source: PlanSource, limitOf: EstimateSource['limitOf']): EvaluationPlan {
  const { setting, options } = source;
  const now = countPlanned(source);
  const { kept } = now;
  const { todo, samples, addedRepeats } =
    now.todo.size > 0 ? now : countPlanned({ ...source, options: { ...options, isAnew: true } });
  return {
    ...estimate({ setting, todo, earlier: kept, limitOf }),
    samples,
    ...(addedRepeats > 0 && { addedRepeats }),
    stored: kept.length,
    left: sumOf([...now.todo.values()]) ?? 0,
  };
}

function estimateLane(
  setting: EvaluationSetting,
  lane: LaneSetting,
  samples: number,
  entries: readonly SampleEntry[],
): LaneEstimate {
  const { config, connection } = lane;
  const spent = entries.flatMap(({ outcome }) => ('facts' in outcome ? [outcome.facts.spent] : []));
  const isAgent = setting.evaluate.mode === 'agent';
  const maxTokens = config.sampling.maxTokens ?? connection.sampling?.maxTokens;
  const prompt = medianOfKnown(spent.map(({ promptTokens }) => promptTokens)) ?? measurePrompt(setting);
  const completion =
    medianOfKnown(spent.map(({ completionTokens }) => completionTokens)) ??
    (typeof maxTokens === 'number' ? maxTokens : undefined);
  const timeMs = medianOfKnown(spent.map((each) => each.timeMs));
  return {
    samples,
    promptTokens: prompt * samples,
    completionTokens: samples === 0 ? 0 : completion && completion * samples,
    costUsd:
      samples === 0 || billingOf(connection) === 'free'
        ? 0
        : costOf(connection.rates, prompt, completion, samples),
    timeMs: timeMs === undefined ? undefined : timeMs * samples,
    mostRequests: samples * (isAgent ? (config.limits.maxSteps ?? DEFAULT_STEPS) : 1),
  };
}

function medianOfKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? medianOf(known) : undefined;
}

function costOf(
  rates: LaneSetting['connection']['rates'],
  prompt: number,
  completion: number | undefined,
  samples: number,
): number | null | undefined {
  if (!rates) return null;
  if (completion === undefined) return undefined;
  return ((prompt * rates.input + completion * rates.output) / 1000) * samples;
}

/** Mean length of what is sent for a row, in tokens. */
function measurePrompt(setting: EvaluationSetting): number {
  // Spread over all rows: in the turns of a conversation, each is longer than the one before.
  const step = Math.ceil(setting.rows.length / MAX_MEASURED);
  const rows = setting.rows.filter((_row, index) => index % step === 0);
  const lengths = rows.map((row) => {
    const { system, messages, tools } = setting.fill(row);
    const offered = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
    const said = messages.reduce((sum, message) => sum + lengthOf(message), 0);
    return system.length + said + (offered.length > 0 ? JSON.stringify(offered).length : 0);
  });
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return mean / CHARACTERS_PER_TOKEN;
}

const lengthOf = ({ content, toolCalls = [] }: FilledRow['messages'][number]): number =>
  content.length + (toolCalls.length > 0 ? JSON.stringify(toolCalls).length : 0);

/** Connections are sent to at the same time, each as many requests at once as it may. */
function durationOf(
  lanes: readonly (LaneEstimate & { lane: LaneSetting })[],
  limitOf: EstimateSource['limitOf'],
): number | undefined {
  const byConnection = new Map<string, number>();
  for (const { lane, timeMs, samples } of lanes) {
    if (samples === 0) continue;
    if (timeMs === undefined) return undefined;
    const { id } = lane.connection;
    byConnection.set(id, (byConnection.get(id) ?? 0) + timeMs / limitOf(id));
  }
  return Math.max(0, ...byConnection.values());
}

function sumOf(values: readonly (number | undefined)[]): number | undefined {
  let sum = 0;
  for (const value of values) {
    if (value === undefined) return undefined;
    sum += value;
  }
  return sum;
}

/** Why a start has to be confirmed. */
function describeConfirmation(
  { mostRequests, quotaRequests = 0, costUsd }: EvaluationPlan,
  lanes: number,
): string {
  const known = Object.values(costUsd).filter((cost) => cost !== null);
  const words = describeSpending(mostRequests, sumOf(known) ?? 0, known.length === lanes);
  return quotaRequests > 0
    ? `${words} ${t("Up to {0} of them count against your quota of VS Code's models.", quotaRequests)}`
    : words;
}

/** @param isWhole Whether the cost of every lane is known. */
function describeSpending(requests: number, costUsd: number, isWhole: boolean): string {
  if (costUsd === 0 && isWhole) return t('It sends up to {0} requests, which cost nothing.', requests);
  // A lane that costs nothing says nothing of the others.
  if (costUsd === 0) return t('It sends up to {0} requests. What they cost is not known.', requests);
  return t(
    'It sends up to {0} requests and costs about {1} USD, as far as that is known.',
    requests,
    costUsd.toFixed(2),
  );
}

/** @param lanes Number of all lanes. */
export const refuseUnconfirmed = (plan: EvaluationPlan, lanes: number): RefusalError =>
  refuse(describeConfirmation(plan, lanes), t('Confirm the start.'), t('Nothing was sent.'), 'unconfirmed');
