// What a recording costs compared with the least that forwards a stream: node:http in front of undici.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const AT_ONCE = 128;
const PIECES = 50;
const EVERY_MS = 20;

/** @param dist Folder of the shipped bundles. */
export async function openSuite({ dist, isQuick }) {
  const path = fileURLToPath(new URL('../record/stream-server.mjs', import.meta.url));
  const args = [path, String(isQuick ? 2 : PIECES), String(EVERY_MS)];
  const server = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = await once(server.stdout, 'data');
  const job = { warmUp: isQuick ? 1 : 4, count: 1, atOnce: isQuick ? 4 : AT_ONCE, dist };
  return {
    title: 'A recording beside node:http and undici',
    clients: ['raw', 'ours'],
    subject: 'ours',
    reference: 'raw',
    scenarios: [
      {
        name: 'streams',
        script: new URL('../record/measure.mjs', import.meta.url),
        job: { ...job, origin: `http://127.0.0.1:${Number(port)}` },
        slices: isQuick ? 1 : 8,
        rows: [
          {
            title: `${AT_ONCE} streams at once, CPU`,
            unit: 'µs/stream',
            pick: ({ cpuUs }) => cpuUs,
            compare: 'ratio',
            goal: { max: 1.05 },
          },
          {
            title: `${AT_ONCE} streams at once, first byte`,
            unit: 'ms',
            pick: ({ firstMs }) => firstMs,
            compare: 'difference',
            goal: { max: 1 },
          },
        ],
      },
    ],
    close: () => server.kill(),
  };
}
