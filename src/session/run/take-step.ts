// One chat in a lane: it enters the conversation when its request goes out, is kept while it is being written, and ends in
// the conversation however it ends.
import type { Lane } from '../lane';
import type { AgentPart, StepAsk, StepDesk, StepResult } from './chat-step';
import { ChatStep } from './chat-step';
import { PartialKeeper } from './partial-keeper';
import type { RunItem } from '../transcript';

type LaneAsk = Omit<StepAsk, 'onBegin' | 'onQueue' | 'onNews' | 'agent'> & {
  step?: RunItem['step'];
  agent?: Omit<AgentPart, 'onReply'> | undefined;
};

/** Never rejects. */
export async function takeStep(lane: Lane, desk: StepDesk, asked: LaneAsk): Promise<StepResult> {
  const { runId, step, agent, ...ask } = asked;
  let hasBegun = false;
  const begin = (): void => {
    if (hasBegun) return;
    hasBegun = true;
    lane.beginRun(runId, { connectionId: ask.lane.connection, model: ask.lane.model ?? '', step });
    lane.changeRun({ phase: 'running', since: desk.clock.now() });
  };
  const chat: ChatStep = new ChatStep(desk, {
    ...ask,
    runId,
    onBegin: begin,
    onQueue: (queue) =>
      lane.changeRun({ phase: queue ? 'queued' : 'running', since: desk.clock.now(), queue }),
    onNews: (length) => {
      lane.hasNews();
      keeper.note(length);
    },
    agent: agent && {
      ...agent,
      onReply: (record) => {
        keeper.end();
        // its calls may take as long as a person does
        lane.setRecord(runId, record);
        if ((record.turn?.toolCalls.length ?? 0) > 0) lane.changeRun({ phase: 'answering' });
      },
    },
  });
  const keeper = new PartialKeeper(
    desk.clock,
    () => chat.view(),
    (piece) => lane.keepPartial(runId, piece),
  );
  // calls that were left open are answered before the request
  if (agent) lane.changeRun({ phase: 'answering' });
  else begin();
  lane.setProgress({ view: () => chat.view(), keep: () => keeper.keep() });
  const result = await chat.run();
  keeper.end();
  begin();
  lane.setProgress(undefined);
  lane.setRecord(runId, result.record);
  return result;
}
