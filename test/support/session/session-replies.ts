// Replies of a scripted model, for property tests of a session.
import type { RawAssistant } from '../../../src/library';
import type { Asked, Script } from './scripted-session';

export type Reply =
  | 'answer'
  | 'call'
  | 'two-calls'
  | 'asking-call'
  | 'unknown-call'
  | 'rescued-call'
  | 'fail'
  | 'break-off'
  | 'hang'
  | 'late'
  | 'late-call';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** @param number Number of the request, so that no two replies are alike. */
export function play(reply: Reply, { emit, signal }: Asked, number: number): ReturnType<Script> {
  const call = (name: string, index: number) => ({
    id: `call_${number}_${index}`,
    name,
    arguments: {},
    source: 'native' as const,
  });
  const stopped = (): Promise<never> =>
    new Promise((_resolve, reject) => {
      const stop = (): void => reject(new Error('stopped'));
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    });
  const later = async (result: Partial<RawAssistant>): Promise<Partial<RawAssistant>> => {
    for (let turns = 0; turns < 7; turns++) {
      await turn();
      signal?.throwIfAborted();
    }
    return result;
  };
  switch (reply) {
    case 'answer':
      return { content: `answer ${number}` };
    case 'call':
      return { toolCalls: [call('known', 1)] };
    case 'two-calls':
      return { content: `calls ${number}`, toolCalls: [call('known', 1), call('asking', 2)] };
    case 'asking-call':
      return { toolCalls: [call('asking', 1)] };
    case 'unknown-call':
      return { toolCalls: [call('unknown', 1)] };
    case 'rescued-call':
      return { content: `Sure. <tool_call>{"name": "known", "arguments": {}}</tool_call>` };
    case 'fail':
      throw new Error(`failure ${number}`);
    case 'break-off':
      emit({ content: `part ${number}` });
      throw new Error(`failure ${number}`);
    case 'hang':
      emit({ content: `part ${number}` });
      return stopped();
    case 'late':
      emit({ content: 'ans' });
      return later({ content: `answer ${number}` });
    case 'late-call':
      return later({ toolCalls: [call('known', 1), call('known', 2)] });
  }
}
