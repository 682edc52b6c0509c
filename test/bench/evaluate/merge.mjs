// Merges a blob with the command line, in a process of its own.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const REPEAT = 100;

/** Of the built-in server, one sample a row; what the other repeats would bring is the same. */
const toPlayground = (rows) =>
  JSON.stringify({
    messages: [{ role: 'user', content: 'What is the weather in {{city}}?' }],
    tools: [
      {
        name: 'get_weather',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    ],
    lanes: [{ id: 'a', connection: 'demo', model: 'native-call' }],
    evaluate: { rows: Array.from({ length: rows }, (_, id) => ({ id: `row-${id}`, city: 'Oslo' })) },
    expect: [{ calls: [{ tool: 'get_weather' }] }],
  });

/** @returns the folder of a blob with 100 samples a row, and of its playground */
export async function storeBlob({ program, rows }) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-merge-'));
  writeFileSync(join(folder, 'bench.playground.json'), toPlayground(rows));
  const readLines = (name, words) => {
    const given = [
      'eval',
      '--quiet',
      '--concurrency',
      '50',
      '--reporter',
      'json=report.json',
      '--blob',
      name,
    ];
    spawnSync(process.execPath, [program, ...given, ...words], { cwd: folder });
    return readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  };
  const [head] = readLines('head.jsonl', ['--repeat', String(REPEAT), '--max-requests', '1']);
  const samples = readLines('samples.jsonl', ['--repeat', '1']).slice(1, -1);
  if (samples.length !== rows) throw new Error(`${samples.length} of ${rows} samples came`);
  const blob = createWriteStream(join(folder, 'blob.jsonl'));
  blob.write(`${head}\n`);
  for (const line of samples) {
    const sample = JSON.parse(line);
    for (let repeat = 1; repeat <= REPEAT; repeat++) {
      const key = sample.key.replace(/\d+$/, repeat);
      blob.write(`${JSON.stringify({ ...sample, key, repeat })}\n`);
    }
  }
  blob.end(`${JSON.stringify({ kind: 'end', samples: rows * REPEAT, durationMs: 1 })}\n`);
  await once(blob, 'finish');
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Tells what the process took through a pipe of its own. */
const TELL =
  "import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())));";

/** @param job.program The command line. @param job.samples How many are in the blob. */
export function openMeasurement({ program, folder, samples }) {
  let [seconds, cpuSeconds, mebibytes] = [0, 0, 0];
  return {
    async step() {
      const flags = ['--import', `data:text/javascript,${encodeURIComponent(TELL)}`];
      const words = ['merge', 'blob.jsonl', '--quiet', '--reporter', 'json=merged.json'];
      const start = performance.now();
      const child = spawn(process.execPath, [...flags, program, ...words], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
      });
      let told = '';
      child.stdio[3].on('data', (chunk) => (told += chunk));
      const [code] = await once(child, 'close');
      if (code !== 0) throw new Error(`the merge ended with ${code}`);
      seconds = (performance.now() - start) / 1000;
      const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(told);
      cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
      mebibytes = maxRSS / 1024;
      const [{ passed }] = JSON.parse(readFileSync(join(folder, 'merged.json'), 'utf8')).files;
      if (passed !== samples) throw new Error(`${passed} of ${samples} passed`);
    },
    sample: () => ({ seconds, cpuSeconds, mebibytes }),
  };
}
