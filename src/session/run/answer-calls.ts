// Answers the calls of an agent run with the mocks of their tools: at once, after a delay, by asking the person, or by
// really running a tool of the editor. Independent of lanes.
import type { AgentHooks, AgentTool, ToolContext } from '../../library';
import type { ToolMock } from '../../protocol';
import type { Clock, ToolSource } from '../ports';
import type { ToolAnswer } from '../transcript';
import { answerOfMock, describeUnmatched, pickMock } from '../tools/pick-mock';
import type { ResolvedTool } from '../tools/resolve-tools';
import { waitFor } from '../wait-for';

/** Name of the error that a tool source throws when the tool was not run at all. */
const CALL_REFUSED = 'CallRefusedError';

export interface AnswerServices {
  tools: ToolSource;
  clock: Clock;
  /** Waits for a result that the person gives. */
  ask: (call: ToolContext) => Promise<ToolAnswer>;
  onAnswer: (call: ToolContext, answer: ToolAnswer) => void;
}

/**
 * Answers calls by mocks. One instance serves a whole agent run, because it counts the calls of each tool. A call is
 * identified by its context, because a server may send two calls with the same id.
 */
export class CallAnswers {
  readonly #services: AnswerServices;
  readonly #counts = new Map<string, number>();
  readonly #answers = new WeakMap<ToolContext, ToolAnswer>();

  constructor(services: AnswerServices) {
    this.#services = services;
  }

  toAgentTools(tools: readonly ResolvedTool[]): AgentTool[] {
    return tools.map((resolved) => {
      const { name, description, parameters } = resolved.tool;
      const execute = (args: unknown, context: ToolContext): Promise<string> =>
        this.#answer(resolved, args, context);
      return { name, description, parameters, execute };
    });
  }

  /** Sends the model the mock's own text, without the words that the library puts around an error. */
  readonly afterTool: NonNullable<AgentHooks['afterTool']> = ({ output, isError }, call) => {
    const answer = this.#answers.get(call);
    if (answer) return { output: answer.content, isError: answer.isError };
    // The call never reached a mock: there is no such tool, or the arguments do not fit its schema.
    this.#services.onAnswer(call, { content: output, isError, source: 'refused' });
    return undefined;
  };

  async #answer({ tool }: ResolvedTool, args: unknown, call: ToolContext): Promise<string> {
    const count = (this.#counts.get(tool.name) ?? 0) + 1;
    this.#counts.set(tool.name, count);
    const picked = pickMock(tool.mocks, args, count);
    const answer = picked
      ? await this.#play(picked.mock, tool.name, args, call)
      : { content: describeUnmatched(tool, args, count), isError: true, source: 'refused' as const };
    this.#answers.set(call, answer);
    this.#services.onAnswer(call, answer);
    return answer.content;
  }

  async #play(mock: ToolMock, name: string, args: unknown, call: ToolContext): Promise<ToolAnswer> {
    const { signal } = call;
    if (mock.delayMs) await this.#wait(mock.delayMs, signal);
    const answer = answerOfMock(mock);
    if (answer === 'ask') return this.#services.ask(call);
    if (answer !== 'invoke') return { ...answer, source: 'mock' };
    try {
      const content = await this.#services.tools.invoke(name, args, signal);
      return { content, isError: false, source: 'invoked' };
    } catch (error) {
      signal.throwIfAborted();
      const content = error instanceof Error ? error.message : String(error);
      const isRefused = error instanceof Error && error.name === CALL_REFUSED;
      return { content, isError: true, source: isRefused ? 'refused' : 'invoked' };
    }
  }

  #wait(delayMs: number, signal: AbortSignal): Promise<void> {
    return waitFor(signal, (resolve) => this.#services.clock.after(delayMs, () => resolve(undefined)));
  }
}
