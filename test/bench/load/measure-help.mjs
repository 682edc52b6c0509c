// Runs the command line for its help, in a process of its own each time, and beside it a program that does nothing.
import { spawnSync } from 'node:child_process';

export function openMeasurement({ file }) {
  let ms = 0;
  return {
    step() {
      const bareMs = timeOf(['--eval', '']);
      ms = timeOf([file, 'eval', '--help']) - bareMs;
    },
    sample: () => ({ ms }),
  };
}

function timeOf(words) {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, words);
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}`);
  return performance.now() - start;
}
