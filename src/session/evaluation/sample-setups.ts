// The connections and setups of an evaluation's samples: what they share is made once. Sends nothing.
import type { OpenConnection } from '../ports';
import type { OpenRun, ToolCopies } from '../run/setup';
import { openLane, toOpenRun } from '../run/setup';
import type { EvaluationSetting, LaneSetting, PlannedSample } from './setting';
import { caseOf } from './setting';

/** Number of cases whose setup is kept for their next repeats. */
const MAX_KEPT = 1_000;

export class SampleSetups {
  readonly #setting: EvaluationSetting;
  readonly #connections = new Map<string, OpenConnection>();
  readonly #known = new Map<string, OpenRun>();
  readonly #toolCopies: ToolCopies = new WeakMap();

  constructor(setting: EvaluationSetting) {
    this.#setting = setting;
  }

  /** Opens the connection of a lane for all its samples. @throws what `ConnectionSource.open` throws */
  async open(
    services: Parameters<typeof openLane>[0],
    { config }: LaneSetting,
    signal: AbortSignal,
  ): Promise<OpenConnection> {
    const connection = await openLane(services, config, signal);
    this.#connections.set(config.id, connection);
    return connection;
  }

  /** @throws when the lane is not open */
  of({ row, lane, repeat }: PlannedSample): OpenRun {
    const { id } = lane.config;
    const sampling = this.#setting.samplingOf(lane, repeat);
    const isShared = sampling === lane.config.sampling;
    const key = caseOf(row.id, id);
    const known = isShared ? this.#known.get(key) : undefined;
    if (known) return known;
    const connection = this.#connections.get(id);
    if (!connection) throw new Error(`lane ${id} is not open`);
    const made = toOpenRun(this.#setting.askedOf(row, lane, repeat), connection, this.#toolCopies);
    if (isShared && this.#known.size < MAX_KEPT) this.#known.set(key, made);
    return made;
  }
}
