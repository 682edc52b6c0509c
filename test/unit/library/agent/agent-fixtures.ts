// Shared by the tests of agents: a provider with scripted replies, and tools and calls for it.
import type {
  AgentDefinition,
  AgentTool,
  Message,
  ProviderCredentials,
  ProviderToolCall,
  RawAssistant,
  SamplingParams,
  ToolType,
} from '../../../../src/library';
import { Providers } from '../../../../src/library';

export type ScriptedTurn = Partial<RawAssistant> | (() => Promise<Partial<RawAssistant>>);

interface SeenChat {
  tools: ToolType[];
  messages: Message[];
  sampling: SamplingParams | undefined;
}

export class ScriptedProvider extends Providers {
  readonly chats: SeenChat[] = [];
  readonly #turns: readonly ScriptedTurn[];

  /** @param turns The last one is repeated after the others are used up. */
  constructor(turns: readonly ScriptedTurn[], credentials: ProviderCredentials = {}) {
    super();
    this.configure(credentials);
    this.#turns = turns;
  }

  /** The messages of the last chat. */
  get lastMessages(): Message[] {
    return this.chats.at(-1)?.messages ?? [];
  }

  protected async chatInternal(
    tools: ToolType[],
    messages: Message[],
    sampling?: SamplingParams,
  ): Promise<RawAssistant> {
    this.chats.push({ tools, messages, sampling });
    const turn = this.#turns[this.chats.length - 1] ?? this.#turns.at(-1) ?? {};
    const reply = typeof turn === 'function' ? await turn() : turn;
    return { content: '', toolCalls: [], usage: {}, attempts: 1, ...reply };
  }
}

/** A turn with these tool calls. */
export const asks = (...toolCalls: ProviderToolCall[]): Partial<RawAssistant> => ({ toolCalls });

export const says = (content: string): Partial<RawAssistant> => ({ content });

export const callOf = (name: string, args: unknown, id = `id_${name}`): ProviderToolCall => ({
  id,
  name,
  arguments: args,
  source: 'native',
});

/** Returns the weather of its city. */
export const WEATHER: AgentTool = {
  name: 'get_weather',
  description: 'The weather now',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
  },
  execute: (args: { city: string }) => ({ city: args.city, temp_c: -2 }),
};

export const OSLO = callOf('get_weather', { city: 'Oslo' });

/** A promise that never settles. */
export const hang = (): Promise<never> => new Promise(() => undefined);

/** An agent with a scripted provider. */
export function setUp(turns: readonly ScriptedTurn[], rest: Partial<AgentDefinition> = {}) {
  const provider = new ScriptedProvider(turns);
  return { provider, agent: { provider, tools: [WEATHER], ...rest } };
}

/** The error that a promise rejects with. */
export const errorOf = (running: Promise<unknown>): Promise<unknown> =>
  running.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error,
  );
