// Kills a process that evaluates at random moments, and goes on with its evaluation until it has ended.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../arbitrary/random';
import { bundleTypescript } from '../bundle-typescript.mjs';

/** Longer than what is left takes, so that some of the processes end by themselves. */
const MAX_LIFE_MS = 400;

export interface KillReport {
  /** Requests of samples that had been stored before their process began. */
  sentAgain: string[];
  /** What each evaluation came to. */
  ends: { passed: number; lost: string[] }[];
}

/** @param kills Number of processes that are killed while they evaluate. */
export async function killEvaluations(kills: number, seed: number): Promise<KillReport> {
  const random = createRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'kill-evaluations-'));
  const program = join(folder, 'main.mjs');
  const report: KillReport = { sentAgain: [], ends: [] };
  try {
    await bundleTypescript('test/support/evaluation/evaluate-until-killed.ts', program);
    for (let left = kills; left > 0;) {
      const own = mkdtempSync(join(folder, 'evaluation-'));
      let end: string | undefined;
      while (end === undefined) {
        const stored = storedIn(join(own, 'store'));
        const before = sentIn(own).length;
        end = await runUntilKilled(program, own, left > 0 ? random.below(MAX_LIFE_MS) : undefined);
        left -= end === undefined ? 1 : 0;
        report.sentAgain.push(
          ...sentIn(own)
            .slice(before)
            .filter((row) => stored.has(row)),
        );
      }
      report.ends.push(JSON.parse(end) as KillReport['ends'][number]);
    }
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param lifeMs From its first request on. @returns what it printed; undefined when it was killed */
async function runUntilKilled(
  program: string,
  folder: string,
  lifeMs: number | undefined,
): Promise<string | undefined> {
  // What a killed process leaves in its folder for temporary files is removed with the rest.
  const env = { ...process.env, TMPDIR: folder, TEMP: folder };
  const child = fork(program, [folder], { env, execArgv: [], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  let printed = '';
  child.stdout?.on('data', (chunk) => (printed += String(chunk)));
  child.once('message', () => {
    if (lifeMs !== undefined) setTimeout(() => child.kill('SIGKILL'), lifeMs);
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal === 'SIGKILL') return undefined;
  if (code !== 0) throw new Error(`the evaluation ended with ${code ?? signal}`);
  return printed;
}

/** The rows of the samples whose lines are whole. */
function storedIn(folder: string): ReadonlySet<string> {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];
  const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1));
  const samples = lines.filter((line) => line.startsWith('{"line":{"kind":"sample"'));
  return new Set(samples.map((line) => (JSON.parse(line) as { line: { rowId: string } }).line.rowId));
}

function sentIn(folder: string): string[] {
  const file = join(folder, 'sent.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}
