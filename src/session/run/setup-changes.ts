// What a run was set to, in the form that is shown and compared, and how that differs from what a run would be set to now.
// Pure.
import { createHash } from 'node:crypto';
import type { ConnectionView, SentSettings, SentView, SetupPart } from '../../protocol';
import { SamplingSchema } from '../../protocol';
import type { SamplingParams } from '../../types';
import { boundValue } from './record/run-record';
import type { Asked, Setup } from './setup';
import { canonicalJson } from '../../inspect';
import { knownSampling } from './setup';

/** What a run would be set to now. */
export interface Present {
  asked: Omit<Asked, 'messages'>;
  /** Undefined when the connection is not known, or not yet. */
  view: ConnectionView | undefined;
}

/** The run that is compared with it. */
export interface PastRun extends Pick<Setup, 'model'> {
  connectionId: string;
  /** Only an agent run answers calls with mocks, and has limits. */
  isAgent: boolean;
  /** Undefined when it is not known. */
  setup: Setup | undefined;
}

export function toSentView({ setup, ...run }: PastRun, present: Present): SentView {
  if (!setup) return { changed: changedTarget(run, present) };
  return { settings: toSettings(setup, run.isAgent), changed: changedParts(setup, run, present) };
}

function toSettings(setup: Setup, isAgent: boolean): SentSettings {
  const { sampling, rescueToolCalls, toolChoice, raw = {}, limits } = setup;
  const { tools, mocks } = toolPrints(setup.tools);
  const options = { rescueToolCalls, toolChoice, raw, ...(isAgent && { limits, mocks }) };
  return {
    sampling: boundValue(sampling),
    rescueToolCalls,
    ...(toolChoice && { toolChoice }),
    rawKeys: Object.keys(raw).length,
    ...(isAgent && { limits }),
    prints: {
      system: print(systemOf(setup)),
      tools,
      messages: printOfQuestions(setup),
      options: print([isAgent, options]),
    },
  };
}

function changedTarget(
  { connectionId, model }: Omit<PastRun, 'setup'>,
  { asked: { lane }, view }: Present,
): SetupPart[] {
  // An empty name stands for the model of the connection.
  const now = lane.model || view?.model;
  return [
    ...(connectionId === lane.connection ? [] : ['connection' as const]),
    ...(now === undefined || now === model ? [] : ['model' as const]),
  ];
}

function changedParts(setup: Setup, run: Omit<PastRun, 'setup'>, present: Present): SetupPart[] {
  const { lane } = present.asked;
  // A connection that could not be opened gave the setup nothing that can be compared.
  const around = setup.connection.label === undefined ? undefined : (present.view ?? setup.connection);
  const isMoved = (['address', 'provider'] as const).some(
    (key) => around !== undefined && around[key] !== setup.connection[key],
  );
  const target = changedTarget({ ...run, connectionId: setup.connection.id, model: setup.model }, present);
  const [before, now] = [toolPrints(setup.tools), toolPrints(present.asked.tools)];
  const rest: Partial<Record<SetupPart, boolean>> = {
    toolChoice: isUnlike(setup.toolChoice ?? null, lane.toolChoice ?? null),
    raw: isUnlike(setup.raw ?? {}, lane.raw ?? {}),
    rescue: setup.rescueToolCalls !== (lane.rescueToolCalls && around?.isRescueOff !== true),
    system: systemOf(setup) !== systemOf(present.asked),
    tools: before.tools !== now.tools,
    mocks: run.isAgent && before.mocks !== now.mocks,
    limits: run.isAgent && isUnlike(setup.limits, lane.limits),
  };
  return [
    ...(isMoved && !target.includes('connection') ? ['connection' as const] : []),
    ...target,
    ...changedSampling(
      { ...(around && setup.connection.sampling), ...setup.sampling },
      { ...around?.sampling, ...knownSampling(lane.sampling) },
    ),
    ...(Object.keys(rest) as SetupPart[]).filter((part) => rest[part]),
  ];
}

const SAMPLING_KEYS = Object.keys(SamplingSchema.entries) as (keyof SamplingParams)[];

const changedSampling = (before: SamplingParams, now: SamplingParams): (keyof SamplingParams)[] =>
  SAMPLING_KEYS.filter((key) => isUnlike(before[key] ?? null, now[key] ?? null));

const isUnlike = (one: unknown, other: unknown): boolean => canonicalJson(one) !== canonicalJson(other);

type ToolPrints = Record<'tools' | 'mocks', string>;
const knownPrints = new WeakMap<Asked['tools'], ToolPrints>();

/** Kept for each list of tools: schemas may be long, and all lanes have the same ones. */
function toolPrints(tools: Asked['tools']): ToolPrints {
  const known = knownPrints.get(tools);
  if (known) return known;
  const sent = tools.map(({ name, description = '', parameters }) => ({ name, description, parameters }));
  const prints = { tools: print(sent), mocks: print(tools.map(({ mocks }) => mocks)) };
  knownPrints.set(tools, prints);
  return prints;
}

/** A blank system prompt is not sent. */
const systemOf = ({ system }: Pick<Asked, 'system'>): string => (system.trim() === '' ? '' : system);

const printOfQuestions = ({ messages }: Setup): string =>
  print(messages.flatMap(({ role, content }) => (role === 'user' ? [content] : [])));

const print = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 16);
