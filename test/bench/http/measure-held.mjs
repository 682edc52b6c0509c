// Measures how much the heap grows for each call that waits for its response.
import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * @param openClient Opens a client for calls in advance, after which the heap must contain everything except the
 *   measured calls.
 */
export async function measureHeld(job, { chat }, openClient) {
  const { origin, warmUp, count } = job;
  const before = openClient({ ...job, reply: 'small' });
  for (let done = 0; done < warmUp; done += 1) await before.chat();
  let heapKib = 0;
  return {
    async step() {
      await fetchText(`${origin}/held`);
      const empty = await settledHeap();
      const calls = Array.from({ length: count }, chat);
      while (Number(await fetchText(`${origin}/held`)) < count) await wait(20);
      heapKib = ((await settledHeap()) - empty) / count / 1024;
      await fetchText(`${origin}/release`);
      await Promise.all(calls);
    },
    sample: () => ({ heapKib }),
  };
}

async function settledHeap() {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc();
    await wait(40);
  }
  return process.memoryUsage().heapUsed;
}

/** Independent of the measured clients. */
function fetchText(url) {
  return new Promise((resolve, reject) => {
    get(url, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => (text += part));
      answer.on('end', () => resolve(text));
    }).on('error', reject);
  });
}
