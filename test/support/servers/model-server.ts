// A model server of the hosted protocol that a test can change while it runs: its key, and whether it answers.
import http from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const MODEL = 'tiny:latest';

export class ModelServer {
  /** Key that it requires; if undefined, any is accepted. */
  key: string | undefined;
  /** `hangs`: never starts the answer to a chat. */
  manner: 'answers' | 'hangs' = 'answers';
  chats = 0;
  /** Number of chats whose answer is incomplete and whose client is still connected. */
  waiting = 0;
  /** Headers of every request, in order of arrival. */
  readonly headers: IncomingHttpHeaders[] = [];
  readonly #server = http.createServer((request, response) => void this.#answer(request, response));

  get host(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url, headers } = request;
    this.headers.push(headers);
    if (this.key !== undefined && headers.authorization !== `Bearer ${this.key}`)
      return send(response, 401, { error: { message: 'Invalid API Key' } });
    if (url === '/v1/models') return send(response, 200, { data: [{ id: MODEL }] });
    if (url !== '/v1/chat/completions') return send(response, 404, { error: 'not found' });
    this.chats++;
    this.waiting++;
    response.on('close', () => this.waiting--);
    if (this.manner === 'hangs') return;
    const { stream } = JSON.parse(Buffer.concat(chunks).toString()) as { stream?: boolean };
    const message = { role: 'assistant', content: 'All is well.' };
    const choice = { index: 0, finish_reason: 'stop' };
    if (!stream) return send(response, 200, { choices: [{ ...choice, message }] });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify({ choices: [{ ...choice, delta: message }] })}\n\ndata: [DONE]\n\n`);
  }
}

function send(response: ServerResponse, status: number, document: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}
