// What a person and the world around a playground may do, with lanes and entries by their place: whatever is there counts.
import type { Opened } from './scripted-session';

type Kind = 'chat' | 'agent';
export type Command =
  | { do: 'start'; lanes: number[]; kind: Kind; hasText: boolean; isStepMode: boolean }
  | { do: 'replay'; lane: number; kind: Kind }
  | { do: 'stop'; lane: number | null }
  /** `isAny`: one that has a result, too. */
  | { do: 'give'; at: number; isAny: boolean }
  | { do: 'continue'; lane: number; isStepMode: boolean; hasText: boolean }
  /** An agent run in step mode, gone on with as often. */
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

/** The calls of a lane, in order: what a result can be given to. */
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
