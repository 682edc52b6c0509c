// A chat with a server whose answers are recorded or scripted, and its result in plain terms.
import type { ChatOptions, ChatTurn, HostedApiCredentials, ProviderError } from '../../../src/library';
import { HostedApiProvider, HttpError, LocalHostProvider } from '../../../src/library';
import { startServer } from '../../support/servers/http-server';
import type { RecordedExchange } from '../../support/messages/recorded';
import { WEATHER } from '../../support/messages/recorded-tools';
import { startReplay } from '../../support/servers/replay-server';
import { protocolOf } from './accepted-requests';
import type { ExpectedReply } from './expected-reply';
import type { Protocol } from './neutral-input';

export interface ChatSettings {
  credentials?: Omit<Partial<HostedApiCredentials>, 'host' | 'model'>;
  options?: Partial<ChatOptions>;
  /** @default whether the answer is a stream */
  isStreamed?: boolean;
}

/** By default with the tool of the recordings, without retries and without rescue. */
export async function chatWith(
  protocol: Protocol,
  url: string,
  { credentials, options, isStreamed }: ChatSettings,
): Promise<ChatTurn | ProviderError> {
  const common = { model: 'tiny', retry: false as const, rescueToolCalls: false, ...credentials };
  const provider =
    protocol === 'local'
      ? new LocalHostProvider({ ...common, host: url })
      : new HostedApiProvider({ apiKey: 'k', ...common, host: `${url}/v1` });
  return await provider
    .chat({
      messages: [{ role: 'user', content: 'hi' }],
      tools: [WEATHER],
      ...(isStreamed === true && { onDelta: () => undefined }),
      ...options,
    })
    .catch((error: ProviderError) => error);
}

export async function replayChat(
  recorded: RecordedExchange,
  settings: ChatSettings = {},
): Promise<ChatTurn | ProviderError> {
  await using server = await startReplay(recorded);
  const type = new Headers(recorded.response.headers).get('content-type') ?? '';
  const isStreamed = /ndjson|event-stream/.test(type);
  return await chatWith(protocolOf(recorded), server.url, { isStreamed, ...settings });
}

/** @param body A text is sent as it is; anything else as JSON. */
export async function answerChat(
  protocol: Protocol,
  body: unknown,
  settings: ChatSettings & { status?: number; headers?: Record<string, string> } = {},
): Promise<ChatTurn | ProviderError> {
  await using server = await startServer((_, response) => {
    response.writeHead(settings.status ?? 200, settings.headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return await chatWith(protocol, server.url, settings);
}

/** The turn or error in the terms of the expectation. */
export function outcomeOf(result: ChatTurn | ProviderError): ExpectedReply {
  if (result instanceof HttpError && result.status !== 200)
    return { is: 'refused', status: result.status, words: result.serverMessage };
  if (result instanceof Error) {
    const words = result instanceof HttpError ? result.serverMessage : undefined;
    return { is: 'broken', words, partial: result.partial?.content ?? '' };
  }
  const { raw, exchange } = result;
  return {
    is: 'turn',
    content: raw.content,
    reasoning: raw.reasoning ?? '',
    calls: raw.toolCalls.map(({ name }, place) => ({
      name,
      arguments: exchange.toolCalls[place]?.rawArguments ?? '',
    })),
    finishReason: raw.finishReason,
    promptTokens: raw.usage.promptTokens,
    completionTokens: raw.usage.completionTokens,
  };
}
