// Sends one HTTP request with any Host, Origin and headers, and returns the headers of the answer as received. For tests
// over a real socket.
import { request } from 'node:http';
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';

export interface RawReply {
  status: number;
  /** In the order in which they were received, with their original case. */
  headers: [string, string][];
  body: string;
}

export interface RawRequest {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | undefined;
}

/** Opens the request without waiting for the answer; `agent: false` gives every request a connection of its own. */
export function openRequest(url: string, options: RawRequest = {}): ClientRequest {
  const method = options.method ?? (options.body === undefined ? 'GET' : 'POST');
  const sent = request(url, { method, headers: options.headers ?? {}, agent: false });
  sent.end(options.body);
  return sent;
}

export async function sendRequest(url: string, options: RawRequest = {}): Promise<RawReply> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    openRequest(url, options).on('response', resolve).on('error', reject);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const raw = response.rawHeaders;
  const headers = raw.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : [],
  );
  return { status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks).toString('utf8') };
}

export function headerOf(reply: RawReply, name: string): string | undefined {
  return reply.headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1];
}
