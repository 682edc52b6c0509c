// A recording in front of a test server, and a program that asks it.
import { once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import { startRecording } from '../../../src/recording';
import type { Passage, RecordingOptions } from '../../../src/recording';
import type { Answer } from './http-server';
import { startServer } from './http-server';

/** @returns the recording, the server behind it, and the exchanges that have ended */
export async function record(answer: Answer, options: Partial<RecordingOptions> = {}) {
  const server = await startServer(answer);
  const ended: Passage[] = [];
  const recording = await startRecording({
    target: `${server.url}/v1`,
    onChange: (passage) => {
      if (passage.endMs !== undefined) ended.push(passage);
    },
    ...options,
  });
  onTestFinished(async () => {
    await recording.close();
    await server[Symbol.asyncDispose]();
  });
  return { server, recording, ended };
}

export interface Received {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** Sends one request on a connection of its own. */
export async function ask(
  url: string,
  options: http.RequestOptions = {},
  body?: string | Buffer,
): Promise<Received> {
  const request = http.request(url, { agent: false, ...options });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

/** Answers with the body of the request. */
export const echo: Answer = ({ body }, response) => response.end(body);
export const pathOf = (address: string): string => new URL(address).pathname;
