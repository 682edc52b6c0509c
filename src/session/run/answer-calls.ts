// Answers the calls of an agent run with the mocks of their tools: at once, after a delay, by asking the person, or by
// really running a tool of the editor. Independent of lanes.
import { answerCalls } from '../../library';
import type { ProviderToolCall, ToolContext } from '../../library';
import type { DocumentTool, ToolMock } from '../../protocol';
import type { Clock, ToolSource } from '../ports';
import type { ToolAnswer } from '../conversation/transcript';
import { answerOfMock, describeUnmatched, pickMock } from '../tools/pick-mock';
import { waitFor } from '../wait-for';

/** Name of the error that a tool source throws when the tool was not run at all. */
const CALL_REFUSED = 'CallRefusedError';

export interface AnswerServices {
  tools: ToolSource;
  clock: Clock;
}

/** The calls of one reply; an index is that of the call in `calls`. */
export interface TurnToAnswer {
  calls: readonly ProviderToolCall[];
  signal: AbortSignal;
  /** Waits for a result that the person gives. */
  ask: (index: number) => Promise<ToolAnswer>;
  onAnswer: (index: number, answer: ToolAnswer) => void;
}

/** Answers calls by mocks. One instance serves a whole agent run, because it counts the calls of each tool. */
export class CallAnswers {
  readonly #services: AnswerServices;
  readonly #offered: readonly DocumentTool[];
  readonly #counts = new Map<string, number>();

  constructor(services: AnswerServices, offered: readonly DocumentTool[]) {
    this.#services = services;
    this.#offered = offered;
  }

  /** Answers all calls at once. Rejects when the signal aborts. */
  async answer({ calls, signal, ask, onAnswer }: TurnToAnswer): Promise<void> {
    const mocked = new Set<number>();
    const execute = async (tool: DocumentTool, args: unknown, context: ToolContext): Promise<string> => {
      const answer = await this.#pick(tool, args, { signal, ask: () => ask(context.index) });
      mocked.add(context.index);
      onAnswer(context.index, answer);
      return answer.content;
    };
    await answerCalls(calls, {
      tools: this.#offered.map((tool) => ({
        name: tool.name,
        parameters: tool.parameters,
        execute: (args: unknown, context: ToolContext) => execute(tool, args, context),
      })),
      signal,
      onResult: ({ output, isError }, index) => {
        // The call never reached a mock: there is no such tool, or the arguments do not fit its schema.
        if (!mocked.has(index)) onAnswer(index, { content: output, isError, source: 'refused' });
      },
    });
  }

  #pick(tool: DocumentTool, args: unknown, call: CallToPlay): Promise<ToolAnswer> | ToolAnswer {
    const count = (this.#counts.get(tool.name) ?? 0) + 1;
    this.#counts.set(tool.name, count);
    const picked = pickMock(tool.mocks, args, count);
    return picked
      ? this.#play(picked.mock, tool.name, args, call)
      : { content: describeUnmatched(tool, args, count), isError: true, source: 'refused' };
  }

  async #play(mock: ToolMock, name: string, args: unknown, { signal, ask }: CallToPlay): Promise<ToolAnswer> {
    if (mock.delayMs) await this.#wait(mock.delayMs, signal);
    const answer = answerOfMock(mock);
    if (answer === 'ask') return ask();
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

interface CallToPlay {
  signal: AbortSignal;
  ask: () => Promise<ToolAnswer>;
}
