// One chat in a lane: it enters the conversation when its request goes out, is kept while it is being written, and ends in
// the conversation however it ends.
import type { Lane } from '../lane';
import type { AgentPart, StepRequest, StepServices, StepResult } from './chat-step';
import { ChatStep } from './chat-step';
import { PartialKeeper } from './partial-keeper';
import type { RunItem } from '../transcript';

type LaneRequest = Omit<StepRequest, 'onBegin' | 'onQueue' | 'onNews' | 'agent'> & {
  step?: RunItem['step'];
  agent?: Omit<AgentPart, 'onReply'> | undefined;
};

/** Never rejects. */
export async function takeStep(lane: Lane, services: StepServices, asked: LaneRequest): Promise<StepResult> {
  const { runId, step, agent, ...request } = asked;
  let hasBegun = false;
  const begin = (): void => {
    if (hasBegun) return;
    hasBegun = true;
    lane.beginRun(runId, { connectionId: request.lane.connection, model: request.lane.model ?? '', step });
    lane.changeRun({ phase: 'running', since: services.clock.now() });
  };
  const chat: ChatStep = new ChatStep(services, {
    ...request,
    runId,
    onBegin: begin,
    onQueue: (queue) => {
      const phase = queue ? 'queued' : 'running';
      // it waits since it was asked for, however its place changes
      const isNew = lane.run?.phase !== phase;
      lane.changeRun({ phase, queue, ...(isNew && { since: services.clock.now() }) });
    },
    onNews: (length) => {
      lane.hasNews();
      keeper.note(length);
    },
    agent: agent && {
      ...agent,
      onReply: (record, wire) => {
        keeper.end();
        // its calls may take as long as a person does
        lane.setRecord(runId, record, wire);
        if ((record.turn?.toolCalls.length ?? 0) > 0) lane.changeRun({ phase: 'answering' });
      },
    },
  });
  const keeper = new PartialKeeper(
    services.clock,
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
  lane.setRecord(runId, result.record, result.wire);
  // stored by now: the steps of an agent run would keep the bodies of all of them
  return { ...result, wire: undefined };
}
