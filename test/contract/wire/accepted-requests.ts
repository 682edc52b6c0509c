// The recorded requests that a server accepted, and what the providers send for equivalent neutral input.
import type { ProviderError } from '../../../src/library';
import { HostedApiProvider, LocalHostProvider } from '../../../src/library';
import { failure } from '../../support/failure';
import type { TestServer } from '../../support/servers/http-server';
import { startServer } from '../../support/servers/http-server';
import type { RecordedExchange } from '../../support/messages/recorded';
import { readRecorded, recordedNames } from '../../support/messages/recorded';
import type { ChatInput, Protocol } from './neutral-input';
import { readChat, readEmbed } from './neutral-input';

const CHAT_PATH = /\/chat(\/completions)?$/;
const EMBED_PATH = /\/embed(dings)?$/;

/** Names of all recorded POST requests with a status of 2xx. */
export const ACCEPTED = recordedNames().filter((name) => {
  const { request, response } = readRecorded(name) as Partial<RecordedExchange> &
    Pick<RecordedExchange, 'response'>;
  return request?.method === 'POST' && response.status >= 200 && response.status < 300;
});

export const isChat = ({ request }: RecordedExchange): boolean => CHAT_PATH.test(request.path);

export const isOwnRoute = (recorded: RecordedExchange): boolean =>
  isChat(recorded) || EMBED_PATH.test(recorded.request.path);

/**
 * Starts a server that records a request and refuses it. For recordings of the older route for embeddings, the newer one is
 * missing.
 */
export function startRecordingServer({ request }: RecordedExchange): Promise<TestServer> {
  const missing = request.path === '/api/embeddings' ? '/api/embed' : undefined;
  return startServer(({ url }, response) => {
    if (url === missing) response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
    else response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"taken"}');
  });
}

export const protocolOf = ({ request }: RecordedExchange): Protocol =>
  request.path.startsWith('/api/') ? 'local' : 'hosted';

/** Sends the equivalent of a recorded request. @throws Inexpressible if there is none */
export async function send(recorded: RecordedExchange, url: string): Promise<ProviderError> {
  const { path, body } = recorded.request;
  if (isChat(recorded)) return sendChat(recorded, url, readChat(protocolOf(recorded), body));
  const { model: embedModel, texts } = readEmbed(body);
  const credentials = { model: 'unused', embedModel, retry: false as const };
  const provider =
    protocolOf(recorded) === 'local'
      ? new LocalHostProvider({ ...credentials, host: url })
      : new HostedApiProvider({ ...credentials, host: url + path.replace(EMBED_PATH, ''), apiKey: 'k' });
  return failure(provider.embedMany(texts));
}

function sendChat(recorded: RecordedExchange, url: string, input: ChatInput): Promise<ProviderError> {
  const { model, messages, tools, sampling, isStreamed, tokenLimitKey, raw } = input;
  const credentials = { raw, sampling, retry: false as const };
  const base = url + recorded.request.path.replace(CHAT_PATH, '');
  const provider =
    protocolOf(recorded) === 'local'
      ? new LocalHostProvider({ ...credentials, host: url, model: model ?? '' })
      : new HostedApiProvider({ ...credentials, host: base, apiKey: 'k', model, tokenLimitKey });
  return failure(provider.chat({ messages, tools, ...(isStreamed && { onDelta: () => undefined }) }));
}
