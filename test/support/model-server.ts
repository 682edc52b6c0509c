// A model server that a test can change while it runs: its key, its models, what is loaded, whether it is running
// at all. Supports both protocols, with and without streaming.
import http from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/**
 * `calls`: calls `get_weather` until there are two results. `stalls`: starts a response and never continues. `hangs`: never
 * starts one.
 */
export type Manner = 'answers' | 'calls' | 'stalls' | 'hangs';

interface Asked {
  model: string;
  /** Absent: the local side streams, the hosted one does not. */
  stream?: boolean;
  messages: { role: string }[];
}

export class ModelServer {
  /** Key that the hosted protocol requires; if undefined, any is accepted. */
  key: string | undefined;
  models = ['tiny:latest'];
  /** Models in memory; a chat loads its model. */
  loaded = new Set<string>();
  manner: Manner = 'answers';
  /** Called before a chat is answered, with its number. */
  onChat: (count: number) => void = () => undefined;
  chats = 0;
  /** Number of chats whose answer is incomplete and whose client is still connected. */
  waiting = 0;
  /** Headers of every request, in order of arrival. */
  readonly headers: IncomingHttpHeaders[] = [];
  readonly #sockets = new Set<Socket>();
  #server: http.Server | undefined;
  #port = 0;

  get host(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts the server, on the same port every time. */
  async start(): Promise<void> {
    const server = http.createServer((request, response) => void this.#answer(request, response));
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await new Promise<void>((resolve) => {
      if (!server) return resolve();
      server.close(() => resolve());
      this.drop();
    });
  }

  /** Drops all connections, like a computer that goes to sleep. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url = '', headers } = request;
    this.headers.push(headers);
    const body = Buffer.concat(chunks).toString();
    const asked = (body === '' ? {} : JSON.parse(body)) as Asked;
    const isHosted = url.startsWith('/v1/');
    if (isHosted && this.key !== undefined && headers.authorization !== `Bearer ${this.key}`) {
      return send(response, 401, { error: { message: 'Invalid API Key' } });
    }
    if (url === '/api/chat' || url === '/v1/chat/completions') return this.#chat(asked, isHosted, response);
    const document = this.#answerFor(url);
    if (document) send(response, 200, document);
    else send(response, 404, { error: 'not found' });
  }

  #answerFor(url: string): unknown {
    const names = this.models.map((name) => ({ name, size: 1_000_000 }));
    const documents: Record<string, unknown> = {
      '/v1/models': { data: this.models.map((id) => ({ id })) },
      '/api/tags': { models: names },
      '/api/ps': { models: names.filter(({ name }) => this.loaded.has(name)) },
      '/api/version': { version: '1.2.3' },
      '/api/show': { capabilities: ['completion', 'tools'] },
    };
    return documents[url];
  }

  #chat({ model, messages, stream }: Asked, isHosted: boolean, response: ServerResponse): void {
    this.onChat(++this.chats);
    this.waiting++;
    response.on('close', () => this.waiting--);
    if (!this.models.includes(model)) {
      const message = `model '${model}' not found`;
      return send(response, 404, { error: isHosted ? { message } : message });
    }
    this.loaded.add(model);
    if (this.manner === 'hangs') return;
    const results = messages.filter(({ role }) => role === 'tool');
    const isCall = this.manner === 'calls' && results.length < 2;
    if (!(stream ?? !isHosted) && !isCall && this.manner === 'answers')
      return send(response, 200, toWhole(isHosted));
    const write = isHosted ? writeHosted : writeLocal;
    write(response, isCall, this.manner === 'stalls');
  }
}

function send(response: ServerResponse, status: number, document: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}

const CALL = { name: 'get_weather', arguments: { city: 'Oslo' } };

function toWhole(isHosted: boolean): unknown {
  const message = { role: 'assistant', content: 'All is well.' };
  return isHosted
    ? { choices: [{ index: 0, message, finish_reason: 'stop' }] }
    : { message, done: true, done_reason: 'stop' };
}

function writeHosted(response: ServerResponse, isCall: boolean, isStalling: boolean): void {
  const event = (delta: object, reason: string | null = null): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const called = { name: CALL.name, arguments: JSON.stringify(CALL.arguments) };
  const call = { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: called }] };
  response.write(event(isCall ? call : { role: 'assistant', content: 'All is ' }));
  if (isStalling) return;
  if (!isCall) response.write(event({ content: 'well.' }));
  response.end(`${event({}, isCall ? 'tool_calls' : 'stop')}data: [DONE]\n\n`);
}

function writeLocal(response: ServerResponse, isCall: boolean, isStalling: boolean): void {
  const line = (message: object, done = false): string =>
    `${JSON.stringify({ message: { role: 'assistant', content: '', ...message }, done, ...(done && { done_reason: 'stop' }) })}\n`;
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  response.write(line(isCall ? { tool_calls: [{ function: CALL }] } : { content: 'All is ' }));
  if (isStalling) return;
  if (!isCall) response.write(line({ content: 'well.' }));
  response.end(line({}, true));
}
