// npm run fuzz -- [--runs 1000000] [--seed 1] [--most 10]: fuzzes rescue for longer than a test may take.
import { parseArgs } from 'node:util';
import { describeFailure, fuzzRescue } from './fuzz-rescue';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    /** Number of failures after which it stops. */
    most: { type: 'string', default: '10' },
  },
});

const [runs, seed, most] = [values.runs, values.seed, values.most].map(Number);
if (![runs, seed, most].every((value) => Number.isInteger(value)))
  throw new Error('--runs, --seed and --most are whole numbers');

console.log(`${runs} replies from seed ${seed}`);
const failures = fuzzRescue({
  runs: runs ?? 0,
  seed: seed ?? 0,
  most: most ?? 1,
  onProgress: (done) => process.stderr.write(`\r${done}`),
  onFailure: (failure) => console.log(describeFailure(failure)),
});
process.stderr.write('\n');
console.log(`${failures.length} of them broke a law`);
process.exitCode = failures.length > 0 ? 1 : 0;
