// The demo's scripted models behind a server of the test, which keeps what was asked, and answers when it is told.
import type { ServerResponse } from 'node:http';
import { startDemoServer } from '../../../src/demo';
import { startServer } from '../../support/servers/http-server';

export interface CountedDemo extends AsyncDisposable {
  /** Base URL of OpenAI's protocol. */
  host: string;
  /** Bodies of all chats so far, in order. */
  asked: () => readonly string[];
  /** Bodies of those that were answered. */
  answered: readonly string[];
  /** Number of chats that wait for their answer, and whose sender has not left. */
  waiting: () => number;
  /** Answers so many chats more, and keeps the others waiting; by default all of them. */
  allow: (count?: number) => void;
}

export async function startCountedDemo(): Promise<CountedDemo> {
  const demo = await startDemoServer();
  const answered: string[] = [];
  let allowed = Infinity;
  const waiting: { response: ServerResponse; answer: () => void }[] = [];
  const answerNext = (): void => {
    for (; allowed > 0 && waiting.length > 0; allowed--) waiting.shift()?.answer();
  };
  const server = await startServer(({ method, url, body }, response) => {
    const isChat = method === 'POST';
    const forward = async (): Promise<void> => {
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(new URL(url, demo.localHost), { method, headers, ...(body && { body }) });
      const text = await reply.text();
      if (response.destroyed && isChat) {
        // Who has left takes no turn of those that wait.
        allowed++;
        return answerNext();
      }
      if (isChat) answered.push(body);
      response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' });
      response.end(text);
    };
    const answer = (): void => void forward().catch(() => response.destroy());
    if (!isChat) return answer();
    waiting.push({ response, answer });
    answerNext();
  });
  return {
    host: `${server.url}/v1`,
    asked: () => server.requests.filter(({ method }) => method === 'POST').map(({ body }) => body),
    answered,
    waiting: () => waiting.filter(({ response }) => !response.destroyed).length,
    allow: (count = Infinity) => {
      allowed = count;
      answerNext();
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([server[Symbol.asyncDispose](), demo.close()]);
    },
  };
}
