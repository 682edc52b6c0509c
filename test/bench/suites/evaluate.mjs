// What an evaluation costs beside its runs: to open a stored one, to merge one, for each sample, and to scroll its table. With a real
// llama-server, too, where there is one.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openLlama } from '../evaluate/llama-server.mjs';
import { storeEvaluation } from '../evaluate/measure.mjs';
import { storeBlob } from '../evaluate/merge.mjs';
import { findChromium } from '../support/find-chromium.mjs';

const toRow = (title, unit, key, max) => ({
  title,
  unit,
  pick: (sample) => sample[key],
  compare: 'absolute',
  goal: { max },
});

/** The table of a large evaluation in the page. By CPU time, which other load of the machine does not increase. */
function toTable({ dist, isQuick }) {
  const rows = isQuick ? 100 : 5000;
  const what = `${rows} rows × 3 lanes`;
  const longest = (title, pick) => ({
    ...toRow(`${what} ${title}, CPU of the longest task`, 'ms', '', 50),
    pick: (sample) => pick(sample).longestCpuMs,
  });
  return {
    name: 'table',
    script: new URL('../panel/measure.mjs', import.meta.url),
    job: { measurement: 'evaluation-rows', dist, isQuick, rows },
    rows: [
      longest('opened', ({ opened }) => opened),
      longest('scrolled to the last and back', ({ scrolled }) => scrolled),
      longest('filtered', ({ filtered }) => filtered),
    ],
  };
}

/** @param dist Folder of the shipped bundles. */
export async function openSuite({ dist, isQuick }) {
  const [rows, runs] = isQuick ? [10, 10] : [1000, 500];
  const file = join(dist, 'engine.js');
  const program = join(dist, 'cli.js');
  const throughput = {
    unit: '×',
    pick: ({ share }) => share,
    compare: 'absolute',
    goal: { min: 0.8 },
  };
  const llama = await openLlama();
  const hasPage = await findChromium('evaluate', isQuick);
  let folder = '';
  return {
    title: 'Evaluations',
    clients: ['ours'],
    subject: 'ours',
    scenarios: [
      {
        name: 'evaluate',
        script: new URL('../evaluate/measure.mjs', import.meta.url),
        job: { file, rows, runs },
        async prepare() {
          folder = await storeEvaluation({ file, rows });
          return { folder };
        },
        rows: [
          toRow('to open a playground with 10,000 samples', 'ms', 'openMs', 300),
          toRow('the same once more in the same window', 'ms', 'againMs', 300),
          toRow('own CPU of a sample', 'ms', 'ownMs', 1),
        ],
      },
      {
        name: 'throughput',
        script: new URL('../evaluate/throughput.mjs', import.meta.url),
        job: { file, samples: isQuick ? 100 : 5000 },
        rows: [
          { ...throughput, title: 'samples a second with 50 at once, beside the library alone' },
          {
            ...throughput,
            title: 'the same, beside the library with the callbacks that it needs',
            pick: ({ observedShare }) => observedShare,
          },
          {
            ...throughput,
            title: 'the library with these callbacks, beside itself without',
            pick: ({ floorShare }) => floorShare,
          },
        ],
      },
      {
        name: 'merge',
        script: new URL('../evaluate/merge.mjs', import.meta.url),
        job: { program, samples: 100 * rows },
        prepare: async () => ({ folder: await storeBlob({ program, rows }) }),
        rows: [
          toRow('to merge a blob of 100,000 samples', 's', 'seconds', 10),
          toRow('the same, CPU', 's', 'cpuSeconds', 10),
          toRow('the same, most memory', 'MiB', 'mebibytes', 500),
        ],
      },
      ...(hasPage ? [toTable({ dist, isQuick })] : []),
      ...(llama
        ? [
            {
              name: 'llama-server',
              script: new URL('../evaluate/throughput.mjs', import.meta.url),
              job: { file, samples: isQuick ? 2 : 20, address: llama.address, atOnce: 2 },
              rows: [{ ...throughput, title: 'the same with 2 at once against llama-server' }],
            },
          ]
        : []),
    ],
    close() {
      llama?.close();
      if (folder !== '') rmSync(folder, { recursive: true, force: true });
    },
  };
}
