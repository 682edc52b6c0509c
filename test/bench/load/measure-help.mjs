// Runs the command line for its help, in a process of its own each time.
import { spawnSync } from 'node:child_process';

export function openMeasurement({ file }) {
  let ms = 0;
  return {
    step() {
      const start = performance.now();
      const { status } = spawnSync(process.execPath, [file, 'eval', '--help']);
      if (status !== 0) throw new Error(`the help ended with ${status}`);
      ms = performance.now() - start;
    },
    sample: () => ({ ms }),
  };
}
