// What an evaluation costs beside its runs: to open a stored one, and for each sample.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { storeEvaluation } from '../evaluate/measure.mjs';

const toRow = (title, unit, key, max) => ({
  title,
  unit,
  pick: (sample) => sample[key],
  compare: 'absolute',
  goal: { max },
});

/** @param dist Folder of the shipped bundles. */
export function openSuite({ dist, isQuick }) {
  const [rows, runs] = isQuick ? [10, 10] : [1000, 500];
  const file = join(dist, 'engine.js');
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
          {
            title: 'samples a second with 50 at once, beside the library alone',
            unit: '×',
            pick: ({ share }) => share,
            compare: 'absolute',
            goal: { min: 0.8 },
          },
        ],
      },
    ],
    close() {
      if (folder !== '') rmSync(folder, { recursive: true, force: true });
    },
  };
}
