// What a run reports to while it is under way. A lane is one such receiver, and so is a conversation in memory; a run knows
// nothing else of either.
import type { AgentEnding, RunProgress, RunState } from '../../protocol';
import type { CallProgress, ChatDelta, Message } from '../../types';
import type { ReplyPiece } from '../journal/journal-lines';
import type { Item, RunItem, ToolAnswer } from '../conversation/transcript';
import type { RunRecord } from './record/run-record';
import type { Setup } from './setup';
import type { RunWire } from './record/wire-record';

/** Gives the progress of the run under way, when asked. */
export interface ProgressSource {
  view: () => RunProgress | undefined;
  /** Stores what has arrived and is not yet stored. */
  keep: () => void;
}

/** What is known of a run, or of one step of an agent run, when it begins. */
export interface BegunRun {
  connectionId: string;
  /** '' when the connection chooses it. */
  model: string;
  step?: RunItem['step'];
}

export interface RunSink {
  /** The conversation, to which the run adds its messages, replies and results. */
  readonly items: readonly Item[];
  /** Adds a message that was said while an agent run was under way. */
  addMessage: (message: Message) => void;
  /** Adds a run without a reply to the conversation. */
  beginRun: (runId: string, begun: BegunRun) => void;
  /** Receives what the run is set to, once that is known and before its request goes out. */
  setSetup: (runId: string, setup: Setup) => void;
  /** Changes what is shown of the run under way, such as its phase. */
  changeRun: (change: Partial<RunState>) => void;
  setProgress: (source: ProgressSource | undefined) => void;
  /** To be called when the progress has changed: once for each piece of a stream. */
  progressChanged: () => void;
  /** Receives each piece of a reply while it streams. */
  addDelta?: (delta: ChatDelta) => void;
  /** Receives each phase of a request, with the attempts so far. */
  setPhase?: (phase: CallProgress) => void;
  /** Stores a piece of a reply in progress, in case its end never arrives. */
  keepPartial?: (runId: string, piece: ReplyPiece) => void;
  /** Sets the outcome of a chat and what was sent and received for it. */
  setRecord: (runId: string, record: RunRecord, wire?: RunWire) => void;
  /** Sets the result of a call of the run's reply. */
  setResult: (runId: string, callIndex: number, result: ToolAnswer) => void;
  /** Sets whether a call waits for the person. */
  setAsked: (runId: string, callIndex: number, isAsked: boolean) => void;
  /** Removes this item of the conversation and everything after it, because it is asked for again. */
  cutFrom: (itemId: string) => void;
  /** Sets how an agent run ended. @param runId Its last step. */
  setEnding: (runId: string, ending: AgentEnding) => void;
}
