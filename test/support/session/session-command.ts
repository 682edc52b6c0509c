// Commands of a user and of the world around a playground. Lanes and entries are given by index, so that a command
// fits any state.
import type { Opened } from './scripted-session';

type Kind = 'chat' | 'agent';
export type Command =
  | { do: 'start'; lanes: number[]; kind: Kind; hasText: boolean; isStepMode: boolean }
  | { do: 'replay'; lane: number; kind: Kind }
  | { do: 'stop'; lane: number | null }
  /** `isAny`: includes calls that already have a result. */
  | { do: 'give'; at: number; isAny: boolean }
  | { do: 'continue'; lane: number; isStepMode: boolean; hasText: boolean }
  /** An agent run in step mode that is continued `times` times. */
  | { do: 'step'; lane: number; times: number; hasText: boolean }
  | { do: 'resend'; lane: number; at: number; kind: Kind }
  | { do: 'clear'; lanes: number[] | null }
  | { do: 'restore' }
  | { do: 'add-lane'; copyOf: number | null }
  | { do: 'remove-lane'; lane: number }
  | { do: 'move-lane'; lane: number; to: number }
  | { do: 'draft'; isEmpty: boolean }
  | { do: 'edit'; isGathered: boolean }
  | { do: 'outside'; what: string }
  | { do: 'reopen' }
  | { do: 'look' }
  | { do: 'wait'; turns: number };

/** The calls of a lane in order, which results can be given to. */
export const callsOf = (
  { runs }: Pick<Opened, 'runs'>,
  laneId: string,
): { laneId: string; runId: string; callIndex: number; isOpen: boolean }[] =>
  runs(laneId).flatMap(({ id, outcome, results }) =>
    (outcome?.reply?.toolCalls ?? []).map((_call, callIndex) => ({
      laneId,
      runId: id,
      callIndex,
      isOpen: results[callIndex] === undefined,
    })),
  );
