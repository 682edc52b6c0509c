// Answers every request with a recorded response, byte for byte.
import type { TestServer } from './http-server';
import { startServer } from './http-server';
import type { RecordedExchange } from '../messages/recorded';

const BY_TRANSPORT = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'date']);

export function startReplay({ response }: RecordedExchange): Promise<TestServer> {
  return startServer((_, answer) => {
    const headers = response.headers.filter(([name]) => !BY_TRANSPORT.has(name.toLowerCase()));
    answer.writeHead(response.status, Object.fromEntries(headers));
    answer.end(response.body);
  });
}
