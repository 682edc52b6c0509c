// The settings of a lane and its connection in the form that diagnosis reads. Pure.
import type { RunSetting } from '../../inspect';
import type { ConnectionView, DocumentLane } from '../../protocol';
import { SamplingSchema } from '../../protocol';

type LaneSetting = Pick<DocumentLane, 'sampling' | 'raw' | 'toolChoice'>;

/** @param view Absent when the connection could not be opened. @param others All known connections. */
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
    toolChoiceKey: view?.toolChoiceKey ?? null,
    ...(otherSide && { otherSide: { connectionId: otherSide.id, label: otherSide.label } }),
  };
}

/** Whether `other` reaches the same address through another protocol and is ready to use. */
const isOtherSide = (view: ConnectionView, other: ConnectionView): boolean =>
  other.address === view.address &&
  other.scope === view.scope &&
  other.provider !== view.provider &&
  other.problem === undefined &&
  (!other.needsKey || other.hasKey);

/** Without unknown sampling keys: a document keeps them, but they are not sent to a server. */
export const knownSampling = ({ sampling }: Pick<DocumentLane, 'sampling'>): DocumentLane['sampling'] =>
  Object.fromEntries(Object.entries(sampling).filter(([key]) => Object.hasOwn(SamplingSchema.entries, key)));
