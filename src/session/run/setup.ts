// What a run was set to: made once when it begins, frozen, and read by the run in place of the document. Stored beside the
// run, each different setup once. Contains no key.
import { createHash } from 'node:crypto';
import { t } from '@vscode/l10n';
import { isRecord } from '../../library';
import { canonicalJson } from '../../inspect';
import type { RunSetting } from '../../inspect';
import type { ConnectionView, DocumentLane, DocumentTool } from '../../protocol';
import { SamplingSchema } from '../../protocol';
import type { Message, SamplingParams, ToolChoice } from '../../types';
import type { ConnectionSource, LogSink, OpenConnection } from '../ports';
import type { RefusalError } from '../refusal';
import { refuse } from '../refusal';
import { untilAborted } from '../wait-for';
import { redactorOf } from './record/redactor-of';
import { formatRetry } from './retry-log';

export interface Setup {
  /** SHA-256 of everything else. Equal setups have the same id. */
  readonly id: string;
  readonly connection: SetupConnection;
  /** The lane's or the connection's; '' when neither names one, or the connection could not be opened. */
  readonly model: string;
  /** The lane's sampling, without unknown keys. */
  readonly sampling: SamplingParams;
  /** Whether calls are read from the text: the lane and the connection decide together. */
  readonly rescueToolCalls: boolean;
  /** The lane's `raw`. */
  readonly raw?: Readonly<Record<string, unknown>> | undefined;
  readonly toolChoice?: ToolChoice | undefined;
  readonly limits: DocumentLane['limits'];
  /** '' means no system prompt. */
  readonly system: string;
  /** The offered tools, with their mocks. */
  readonly tools: readonly DocumentTool[];
  /** Names of the tools that are not offered. */
  readonly idleTools: readonly string[];
  /** The conversation before the run; what is said in the run itself is in its replies and results. */
  readonly messages: readonly Message[];
}

/** Only the id is known of a connection that could not be opened. */
interface SetupConnection extends Readonly<Partial<Pick<ConnectionView, (typeof VIEW_KEYS)[number]>>> {
  readonly id: string;
  /** Where requests go; the id for a connection without an origin. */
  readonly origin?: string | undefined;
}

const VIEW_KEYS = [
  'label',
  'provider',
  'address',
  'scope',
  'sampling',
  'samplingKeys',
  'isRescueOff',
  'toolChoiceKey',
  'hasRates',
  'limits',
] as const satisfies readonly (keyof ConnectionView)[];

/** What a run is asked to do, as the document and the conversation say when it begins. */
export interface Asked extends Pick<Setup, 'system' | 'tools' | 'idleTools' | 'messages'> {
  lane: Omit<DocumentLane, 'id'>;
}

/** A run whose connection was opened, or not. */
export interface OpenRun {
  setup: Setup;
  /** The setup as it is stored: what a person wrote may repeat the key of the connection. */
  stored: Setup;
  connection?: OpenConnection | undefined;
  /** Why the connection could not be opened. */
  error?: unknown;
}

interface OpenServices {
  connections: ConnectionSource;
  log: LogSink;
}

/** Opens the connection of a run and makes its setup. Never rejects. */
export async function openRun(services: OpenServices, asked: Asked, signal: AbortSignal): Promise<OpenRun> {
  const refusal = findRefusal(asked);
  if (refusal) return { ...toSetups(asked, undefined), error: refusal };
  try {
    return toOpenRun(asked, await openLane(services, asked.lane, signal));
  } catch (error) {
    return { ...toSetups(asked, undefined), error };
  }
}

/** @throws the signal's reason, or what `ConnectionSource.open` throws */
export async function openLane(
  { connections, log }: OpenServices,
  { connection: connectionId, model, rescueToolCalls, raw }: Asked['lane'],
  signal: AbortSignal,
): Promise<OpenConnection> {
  let label = connectionId;
  const opening = connections.open({
    connectionId,
    model,
    rescueToolCalls,
    raw,
    onRetry: (info) => log.warn(formatRetry(label, info)),
  });
  const connection = await untilAborted(signal, opening);
  label = connection.view.label;
  return connection;
}

/** Frozen copies of lists of tools, by what they are copies of. */
export type ToolCopies = WeakMap<Setup['tools'], Setup['tools']>;

/**
 * A run on a connection that is open already. Many may share it.
 * @param toolCopies Those of other runs with the same tools, which are not changed meanwhile.
 */
export function toOpenRun(asked: Asked, connection: OpenConnection, toolCopies?: ToolCopies): OpenRun {
  const refusal = findRefusal(asked);
  if (refusal) return { ...toSetups(asked, undefined), error: refusal };
  return { ...toSetups(asked, connection, toolCopies), connection };
}

function findRefusal({ lane: { toolChoice }, tools }: Asked): RefusalError | undefined {
  if (typeof toolChoice !== 'object' || tools.some(({ name }) => name === toolChoice.tool)) return undefined;
  return refuse(
    t('The lane is set to call {0}, which is not offered.', toolChoice.tool),
    t('Offer the tool, or set another tool choice in the lane.'),
  );
}

function toSetups(
  asked: Asked,
  connection: OpenConnection | undefined,
  toolCopies: ToolCopies = new WeakMap(),
): Pick<OpenRun, 'setup' | 'stored'> {
  const { lane, system, tools, idleTools, messages } = asked;
  const { view } = connection ?? {};
  const shown = VIEW_KEYS.flatMap((key) => (view?.[key] === undefined ? [] : [[key, view[key]] as const]));
  const own: Omit<Setup, 'id' | 'tools'> = {
    connection: {
      id: lane.connection,
      ...(connection && { origin: connection.gate }),
      ...Object.fromEntries(shown),
    },
    model: connection?.model ?? lane.model ?? '',
    sampling: knownSampling(lane.sampling),
    rescueToolCalls: lane.rescueToolCalls && view?.isRescueOff !== true,
    ...(lane.raw && { raw: lane.raw }),
    ...(lane.toolChoice && { toolChoice: lane.toolChoice }),
    limits: lane.limits,
    system,
    idleTools,
    messages,
  };
  const known = toolCopies.get(tools) ?? freeze(structuredClone(tools));
  toolCopies.set(tools, known);
  const setup = { ...structuredClone(own), tools: known };
  const redacted = redactorOf(connection?.secrets ?? []).value(setup);
  const id = createHash('sha256').update(canonicalJson(redacted)).digest('hex');
  return { setup: freeze({ id, ...setup }), stored: freeze({ id, ...redacted }) };
}

/** Without unknown sampling keys: a document keeps them, but they are not sent to a server. */
export const knownSampling = (sampling: DocumentLane['sampling']): SamplingParams =>
  Object.fromEntries(Object.entries(sampling).filter(([key]) => Object.hasOwn(SamplingSchema.entries, key)));

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}

/** Checks a stored value, which anybody may have changed. @returns undefined when it is no setup */
export function readSetup(value: unknown): Setup | undefined {
  if (!isRecord(value)) return undefined;
  const { connection, sampling, limits, raw = {}, tools, idleTools, messages } = value;
  const isWhole =
    ['id', 'model', 'system'].every((key) => typeof value[key] === 'string') &&
    typeof value.rescueToolCalls === 'boolean' &&
    isRecord(connection) &&
    typeof connection.id === 'string' &&
    [sampling, limits, raw].every(isRecord) &&
    areRecords(tools) &&
    tools.every(({ name, parameters, mocks }) => {
      return typeof name === 'string' && isRecord(parameters) && areRecords(mocks);
    }) &&
    Array.isArray(idleTools) &&
    areRecords(messages) &&
    messages.every(({ role, content }) => typeof role === 'string' && typeof content === 'string');
  return isWhole ? (value as unknown as Setup) : undefined;
}

const areRecords = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.every(isRecord);

/** The setup in the form that diagnosis reads. @param others All known connections. */
export function toRunSetting(
  { connection, sampling, raw = {}, toolChoice }: Setup,
  others: readonly ConnectionView[],
): RunSetting {
  const otherSide = others.find((other) => isOtherSide(connection, other));
  return {
    sampling: { ...connection.sampling, ...sampling },
    raw,
    toolChoice: typeof toolChoice === 'object' ? 'tool' : toolChoice,
    isRescueOff: connection.isRescueOff ?? false,
    keys: connection.samplingKeys ?? {},
    toolChoiceKey: connection.toolChoiceKey ?? null,
    ...(otherSide && { otherSide: { connectionId: otherSide.id, label: otherSide.label } }),
  };
}

/** Whether `other` reaches the same address through another protocol and is ready to use. */
const isOtherSide = ({ address, scope, provider }: SetupConnection, other: ConnectionView): boolean =>
  other.address === address &&
  other.scope === scope &&
  other.provider !== provider &&
  other.problem === undefined &&
  (!other.needsKey || other.hasKey);
