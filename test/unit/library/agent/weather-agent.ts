// An agent as a program defines it, with decorator syntax.
import type { SamplingParams, ToolCall, ToolContext, ToolObservation } from '../../../../src/library';
import { Agent } from '../../../../src/library';
import { asks, callOf, says, ScriptedProvider, WEATHER } from './agent-fixtures';

const sampling: SamplingParams = { temperature: 0 };

@Agent({
  provider: new ScriptedProvider([asks(callOf('get_weather', { city: 'oslo' })), says('It is cold.')]),
  sampling,
  tools: [WEATHER],
  prompt: 'Be brief.',
  budget: { maxChatCalls: 5, mode: 'stop' },
  maxSteps: 3,
})
export class Weather {
  readonly log: string[] = [];

  beforeTool(call: ToolCall, context: ToolContext): ToolCall {
    this.log.push(`${context.callId} ${call.name}`);
    return { ...call, args: { city: 'Oslo' } };
  }

  async afterTool({ output, isError }: ToolObservation): Promise<void> {
    this.log.push(`${output} ${isError}`);
  }

  afterResponse(text: string): string {
    return `${text} (${this.log.join(', ')})`;
  }

  /** Not a hook: a class may have other methods. */
  describe(): string {
    return this.log.join();
  }
}
