// How a lane and its connection are set, as a diagnosis reads it. Pure.
import type { RunSetting } from '../../inspect';
import type { ConnectionView, DocumentLane } from '../../protocol';
import { SamplingSchema } from '../../protocol';

type LaneSetting = Pick<DocumentLane, 'sampling' | 'raw' | 'toolChoice'>;

/** @param view Absent when the connection could not be opened. @param others All connections that are known. */
export function toRunSetting(
  lane: LaneSetting,
  view: ConnectionView | undefined,
  others: readonly ConnectionView[],
): RunSetting {
  const { toolChoice, raw = {} } = lane;
  const otherSide = view && others.find((other) => isOtherSide(view, other));
  return {
    sampling: { ...view?.sampling, ...knownSampling(lane) },
    raw,
    toolChoice: typeof toolChoice === 'object' ? 'tool' : toolChoice,
    isRescueOff: view?.isRescueOff ?? false,
    keys: view?.samplingKeys ?? {},
    hasToolChoice: view?.hasToolChoice ?? false,
    ...(otherSide && { otherSide: { connectionId: otherSide.id, label: otherSide.label } }),
  };
}

/** The same address, asked by another protocol, and ready to be. */
const isOtherSide = (view: ConnectionView, other: ConnectionView): boolean =>
  other.address === view.address &&
  other.scope === view.scope &&
  other.provider !== view.provider &&
  other.problem === undefined &&
  (!other.needsKey || other.hasKey);

/** The document keeps a key that nobody knows; no server is sent it. */
export const knownSampling = ({ sampling }: Pick<DocumentLane, 'sampling'>): DocumentLane['sampling'] =>
  Object.fromEntries(Object.entries(sampling).filter(([key]) => Object.hasOwn(SamplingSchema.entries, key)));
