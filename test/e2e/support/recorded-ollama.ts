// An Ollama server on its usual port, as its user would start it, with recorded responses.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { createServer as createSocket } from 'node:net';
import { readRecorded } from '../../support/messages/recorded';

const REPLIES: Record<string, string> = {
  '/api/tags': 'ollama-tags',
  '/api/ps': 'ollama-ps',
  '/api/version': 'ollama-version',
  '/api/show': 'ollama-show',
  '/api/embed': 'ollama-embed',
};

function chatReply(body: string): string {
  const { stream, tools } = JSON.parse(body) as { stream: boolean; tools?: unknown[] };
  if (stream) return 'ollama-chat-stream';
  return tools ? 'ollama-chat-tools' : 'ollama-chat';
}

/** Time limit for a hook that waits for the port: another file may use it until it ends. */
export const PORT_TIMEOUT_MS = 600_000;
const RETRY_MS = 100;
/**
 * Address of a socket that a file holds as long as it uses the port, even while its server is stopped. The system
 * releases it when the process ends.
 */
const LOCK = '\0provider-playground-port-of-ollama';

/**
 * Waits until no other test process uses the port.
 * @returns a function that releases it
 */
export async function holdPort(): Promise<() => void> {
  for (;;) {
    const lock = createSocket();
    const isHeld = await new Promise<boolean>((resolve, reject) => {
      lock.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
      );
      lock.listen(LOCK, () => resolve(true));
    });
    if (isHeld) return () => void lock.close();
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

export async function startOllama(): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '' } = request;
      const name = url === '/api/chat' ? chatReply(Buffer.concat(chunks).toString()) : REPLIES[url];
      const { status, headers, body } = readRecorded(name ?? 'ollama-path-404').response;
      const type =
        headers.find(([header]) => header.toLowerCase() === 'content-type')?.[1] ?? 'application/json';
      response.writeHead(status, { 'content-type': type }).end(body);
    });
  });
  server.listen(11_434, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export async function stop(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close').catch(() => undefined);
}
