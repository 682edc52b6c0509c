// Runs a conversation once, with nobody to ask: for evaluations and for a command line. Does not know where it is shown or stored.
import type { AgentEnding } from '../../protocol';
import type { AgentServices } from './agent-run';
import { AgentRun } from './agent-run';
import { ChatStep } from './chat-step';
import type { RunSink } from './run-sink';
import type { OpenRun } from './setup';

export interface OnceRequest {
  opened: OpenRun;
  /** Whether calls are answered by the mocks of their tools until the model answers; otherwise there is one chat. */
  isAgent: boolean;
  signal: AbortSignal;
  /** Lets requests go first that a person waits for. @default false */
  isBackground?: boolean | undefined;
}

const nobody = (): Promise<never> => Promise.reject(new Error('nobody'));

/** Never rejects: what failed is in the record. @returns how an agent run ended */
export async function runOnce(
  services: AgentServices,
  sink: RunSink,
  { opened, isAgent, signal, isBackground }: OnceRequest,
): Promise<AgentEnding | undefined> {
  const { messages, connection, model } = opened.setup;
  for (const message of messages) sink.addMessage(message);
  const runId = crypto.randomUUID();
  if (isAgent) {
    const agent = { agentRunId: runId, opened, isStepMode: false, signal, isBackground };
    return new AgentRun(services, sink, { ...agent, ask: nobody, pause: nobody }).run();
  }
  const begun = { connectionId: connection.id, model };
  const chat = { runId, begun, opened, callsBefore: { count: 0, rescued: 0 }, signal };
  await new ChatStep(services, sink, { ...chat, isBackground }).run();
  return undefined;
}
