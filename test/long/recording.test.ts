// Very many requests through one recording, of which many are aborted at some moment: none is lost, and nothing is left open.
import { once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { Records } from '../../src/recording';
import { record } from '../support/servers/recorded-server';

const REQUESTS = 10_000;
const AT_ONCE = 128;
const PIECES = 5;

it('keeps a record of each of 10,000 requests, however it ends', async () => {
  const records = new Records();
  const ends = new Map<string, number>();
  const seen = new Set<number>();
  const { recording, server } = await record(
    (_, response) => {
      let left = PIECES;
      const timer = setInterval(() => {
        if (left-- > 0) return void response.write('data: {}\n\n');
        clearInterval(timer);
        response.end();
      }, 1);
      response.on('close', () => clearInterval(timer));
    },
    {
      onChange: (passage) => {
        if (passage.endMs === undefined) return;
        seen.add(passage.number);
        const { endedBy } = records.toRecord(passage) ?? passage;
        ends.set(endedBy ?? '', (ends.get(endedBy ?? '') ?? 0) + 1);
      },
    },
  );
  const agent = new http.Agent({ keepAlive: true });
  let whole = 0;
  let reached = 0;
  const ask = async (number: number): Promise<void> => {
    const request = http.request(`${recording.root}/v1/chat/completions`, { method: 'POST', agent });
    const gone = new Promise<void>((resolve) => request.once('close', resolve));
    request.on('error', () => undefined);
    request.end('{"model":"m","messages":[]}');
    // Every second one leaves: before there is an answer, or within it.
    if (number % 2 === 0) setTimeout(() => request.destroy(), (number / 2) % 12);
    request.once('response', (response: IncomingMessage) => {
      response.on('error', () => undefined).resume();
      response.once('end', () => (whole += 1));
    });
    await gone;
  };
  const work = async (): Promise<void> => {
    while (reached < REQUESTS) await ask((reached += 1));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  agent.destroy();
  const { port } = new URL(recording.root);
  const probe = http.get({ port, path: new URL(recording.root).pathname, host: '127.0.0.1' });
  const [response] = (await once(probe, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  // A program that leaves before its request was read as a whole never had an exchange.
  const total = (): number => [...ends.values()].reduce((sum, count) => sum + count, 0);
  await expect.poll(total).toBe(seen.size);
  expect(Math.max(...seen)).toBe(seen.size);
  expect(seen.size).toBeGreaterThan(REQUESTS * 0.75);
  expect(ends.get('server')).toBeGreaterThanOrEqual(whole);
  expect(ends.get('program')).toBeGreaterThan(REQUESTS / 20);
  expect([...ends.keys()].toSorted()).toEqual(['program', 'server']);
  await recording.close();
  // Whatever is not idle by now belongs to a request that nobody ended.
  server.closeIdle();
  await expect.poll(() => server.openConnections()).toBe(0);
  expect(server.requests.length).toBeGreaterThanOrEqual(whole);
});
