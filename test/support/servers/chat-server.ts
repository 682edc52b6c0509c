// A server of the hosted protocol whose replies a test gives, and that keeps what it was asked.
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChatRequest {
  authorization: string | undefined;
  /** The last message. */
  content: string;
  /** The whole body. */
  body: object;
}

export class ChatServer {
  readonly requests: ChatRequest[] = [];
  /** Gives the message of a reply. */
  reply: (request: ChatRequest) => object = () => ({ role: 'assistant', content: 'All is well.' });
  readonly #delayMs: number;
  readonly #server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sent = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { content: string }[] };
      const asked = {
        authorization: request.headers.authorization,
        content: sent.messages.at(-1)?.content ?? '',
        body: sent,
      };
      this.requests.push(asked);
      const body = { choices: [{ index: 0, finish_reason: 'stop', message: this.reply(asked) }] };
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      }, this.#delayMs);
    });
  });

  /** @param delayMs Before each reply. */
  constructor(delayMs = 0) {
    this.#delayMs = delayMs;
  }

  get host(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  start(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}
