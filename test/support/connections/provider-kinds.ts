// Every kind of provider, for suites that apply to all of them: the built-in ones, subclasses of them, and
// third-party ones. A new provider is added as an entry of PROVIDER_KINDS.
import type { ProviderCredentials, Providers, TokenUsage } from '../../../src/library';
import {
  HostedApiProvider,
  LocalHostProvider,
  MessagesApiProvider,
  ResponsesApiProvider,
} from '../../../src/library';
import { EchoProvider, RelayProvider } from './custom-providers';
import { MadeUpProvider } from '../made-up/made-up-provider';

export interface KindCredentials extends ProviderCredentials {
  /** Each kind sends it as `Authorization: Bearer`, one way or another. */
  apiKey?: string | undefined;
}

export interface ProviderKind {
  name: string;
  make: (url: string, credentials?: KindCredentials) => Providers;
  /** The JSON document with which its server answers a chat. */
  reply: (text: string, usage?: TokenUsage) => Record<string, unknown>;
  /** The body of a streamed response; absent if the provider cannot stream. */
  stream?: ((text: string) => string) | undefined;
  /** The JSON document with vectors; absent if it does not support embeddings. */
  embeddings?: ((vectors: number[][]) => object) | undefined;
  /** Raw keys that forbid calls, where they are not those of most servers. */
  noCalls?: Record<string, string>;
  /** What is sent for a seed of 7 and a topP of 0.5. @default the seed, under its own name */
  sent?: Record<string, number>;
  /** Reads the sampling parameters from the request body. */
  sampling: (body: Record<string, unknown>) => unknown;
}

const inHeader = ({ apiKey, headers, ...rest }: KindCredentials): ProviderCredentials => ({
  ...rest,
  headers: { ...headers, ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
});
const keyed = ({ apiKey = 'no-key', ...rest }: KindCredentials): KindCredentials & { apiKey: string } => ({
  ...rest,
  apiKey,
});

class MyLocal extends LocalHostProvider {
  constructor(host: string, credentials: KindCredentials) {
    super({ ...inHeader(credentials), host, model: 'mine' });
  }
}

class MyHosted extends HostedApiProvider {
  constructor(host: string, credentials: KindCredentials) {
    super({ ...keyed(credentials), host, model: 'mine' });
  }
}

const LOCAL: Omit<ProviderKind, 'name' | 'make'> = {
  reply: (content, usage) => ({
    message: { role: 'assistant', content },
    done: true,
    done_reason: 'stop',
    ...(usage && { prompt_eval_count: usage.promptTokens, eval_count: usage.completionTokens }),
  }),
  stream: (content) =>
    `${JSON.stringify({ message: { content }, done: false })}\n{"message":{"content":""},"done":true}\n`,
  embeddings: (embeddings) => ({ embeddings }),
  sampling: ({ options }) => options,
};
const HOSTED: Omit<ProviderKind, 'name' | 'make'> = {
  reply: (content, usage) => ({
    choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
    ...(usage && { usage: { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens } }),
  }),
  stream: (content) =>
    `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
  embeddings: (vectors) => ({ data: vectors.map((embedding, index) => ({ index, embedding })) }),
  sampling: (body) => body,
};
const MESSAGES: Omit<ProviderKind, 'name' | 'make'> = {
  reply: (text, usage) => ({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    ...(usage && { usage: { input_tokens: usage.promptTokens, output_tokens: usage.completionTokens } }),
  }),
  stream: (text) =>
    toEvents(
      { type: 'message_start', message: { type: 'message', role: 'assistant', content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ),
  sent: { top_p: 0.5 },
  sampling: (body) => body,
};
const RESPONSES: Omit<ProviderKind, 'name' | 'make'> = {
  reply: toResponse,
  stream: (text) =>
    toEvents(
      { type: 'response.output_item.added', output_index: 0, item: { type: 'message', content: [] } },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: text },
      { type: 'response.completed', response: toResponse(text) },
    ),
  sent: { top_p: 0.5 },
  sampling: (body) => body,
};
const ECHO: Omit<ProviderKind, 'name' | 'make'> = {
  reply: (text, usage) => ({ text, ...(usage && { usage }) }),
  sampling: ({ sampling }) => sampling,
};

function toResponse(text: string, usage?: TokenUsage): Record<string, unknown> {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return {
    object: 'response',
    status: 'completed',
    output: [{ type: 'message', role: 'assistant', status: 'completed', content }],
    ...(usage && { usage: { input_tokens: usage.promptTokens, output_tokens: usage.completionTokens } }),
  };
}

const toEvents = (...events: readonly { type: string; [member: string]: unknown }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const local = (host: string, credentials: KindCredentials = {}): Providers =>
  new LocalHostProvider({ ...inHeader(credentials), host, model: 'm' });

export const PROVIDER_KINDS: readonly ProviderKind[] = [
  { name: 'LocalHostProvider', make: local, ...LOCAL },
  {
    name: 'HostedApiProvider',
    make: (host, credentials = {}) => new HostedApiProvider({ ...keyed(credentials), host }),
    ...HOSTED,
  },
  {
    name: 'MessagesApiProvider',
    make: (host, credentials = {}) =>
      new MessagesApiProvider({ ...keyed(credentials), auth: 'bearer', host, model: 'm' }),
    ...MESSAGES,
  },
  {
    name: 'ResponsesApiProvider',
    make: (host, credentials = {}) => new ResponsesApiProvider({ ...keyed(credentials), host, model: 'm' }),
    ...RESPONSES,
  },
  {
    name: 'a subclass of LocalHostProvider',
    make: (host, credentials = {}) => new MyLocal(host, credentials),
    ...LOCAL,
  },
  {
    name: 'a subclass of HostedApiProvider',
    make: (host, credentials = {}) => new MyHosted(host, credentials),
    ...HOSTED,
  },
  {
    name: 'a provider made up for the tests, with a wire of its own',
    make: (host, credentials = {}) => new MadeUpProvider({ ...inHeader(credentials), host, model: 'm' }),
    reply: (said, usage) => ({
      said,
      end: 'stop',
      ...(usage && { spent: { read: usage.promptTokens, written: usage.completionTokens } }),
    }),
    stream: (said) => `${JSON.stringify({ said })}\n{"end":"stop"}\n`,
    noCalls: { pick: 'never' },
    sampling: ({ heat, dice }) => ({ temperature: heat, seed: dice }),
  },
  {
    name: 'a custom provider with a protocol of its own',
    make: (url, credentials = {}) => new EchoProvider(url, keyed(credentials)),
    ...ECHO,
  },
  {
    name: 'a custom provider that hands on to another one',
    make: (url, { costPer1kTokens, rescueToolCalls, ...others } = {}) =>
      new RelayProvider(local(url, others), { costPer1kTokens, rescueToolCalls, raw: others.raw }),
    ...LOCAL,
    embeddings: undefined, // it does not implement embedInternal
  },
];
