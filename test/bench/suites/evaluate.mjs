// What an evaluation costs beside its runs: to open a stored one, and for each sample.
import { join } from 'node:path';

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
  return {
    title: 'Evaluations',
    clients: ['ours'],
    subject: 'ours',
    scenarios: [
      {
        name: 'evaluate',
        script: new URL('../evaluate/measure.mjs', import.meta.url),
        job: { file: join(dist, 'engine.js'), rows, runs },
        rows: [
          toRow('to open a playground with 10,000 samples', 'ms', 'openMs', 300),
          toRow('own CPU of a sample', 'ms', 'ownMs', 1),
        ],
      },
    ],
    close() {},
  };
}
