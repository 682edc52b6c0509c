// Runs one chat in a lane. The run is added to the conversation when its request goes out, stored while the reply arrives,
// and completed in the conversation however it ends.
import type { Lane } from '../lane';
import type { AgentPart, StepRequest, StepServices, StepResult } from './chat-step';
import { ChatStep } from './chat-step';
import { PartialKeeper } from './partial-keeper';
import type { RunItem } from '../transcript';

type LaneRequest = Omit<StepRequest, 'onBegin' | 'onQueue' | 'onProgressChange' | 'agent'> & {
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
      // While the run is queued its position may change; `since` stays the moment at which it was queued.
      const isNew = lane.run?.phase !== phase;
      lane.changeRun({ phase, queue, ...(isNew && { since: services.clock.now() }) });
    },
    onProgressChange: (length) => {
      lane.progressChanged();
      keeper.note(length);
    },
    agent: agent && {
      ...agent,
      onReply: (record, wire) => {
        keeper.end();
        // Store the reply now: answering its calls may take as long as a person does.
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
  // In an agent run, calls that an earlier reply left open are answered before the request goes out.
  if (agent) lane.changeRun({ phase: 'answering' });
  else begin();
  lane.setProgress({ view: () => chat.view(), keep: () => keeper.keep() });
  const result = await chat.run();
  keeper.end();
  begin();
  lane.setProgress(undefined);
  lane.setRecord(runId, result.record, result.wire);
  // The wire record is stored by now. Without this, an agent run would keep the bodies of all its steps in memory.
  return { ...result, wire: undefined };
}
