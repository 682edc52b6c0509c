// What a clean call costs: the files and the functions that it passes through, as the engine counts them. Timings belong to
// the benchmarks.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { scanReply } from '../../../../src/library/rescue/decide/scan-reply';
import { CORPUS, toolsOf } from './rescue-fixtures';

const RESCUE = 'src/library/rescue/';
const MAX_FILES = 25;
const MAX_CALLS = 250;

interface Engine {
  scanReply: typeof scanReply;
}

let folder: string;
let code: string;
let engine: Engine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clean-path-'));
  const outfile = join(folder, 'engine.cjs');
  const contents = `export { scanReply } from './${RESCUE}decide/scan-reply';`;
  await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
  });
  code = await readFile(outfile, 'utf8');
  // Not imported, because the test runner would rewrite it.
  engine = createRequire(import.meta.url)(outfile) as Engine;
});

afterAll(() => rm(folder, { recursive: true }));

/** Calls of functions by the file that they are in, which a comment of the bundler names before its code. */
async function countCalls(work: () => void): Promise<Map<string, number>> {
  const files = [...code.matchAll(/^\/\/ (src\/.*\.ts)$/gm)];
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true });
  work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const functions = result.find(({ url }) => url.endsWith('engine.cjs'))?.functions ?? [];
  const counts = new Map<string, number>();
  for (const { ranges } of functions) {
    const [range] = ranges;
    const file = files.findLast(({ index }) => index <= (range?.startOffset ?? 0))?.[1] ?? '';
    if (range && range.count > 0) counts.set(file, (counts.get(file) ?? 0) + range.count);
  }
  return counts;
}

describe('a clean call', () => {
  it('passes through few files and functions', async () => {
    const [clean] = CORPUS;
    const read = (): unknown => engine.scanReply(clean?.text ?? '', toolsOf('weather'), {}).report.calls;
    // The first call creates patterns that later ones use.
    expect(read()).toMatchObject([{ name: 'get_weather', format: 'hermes-json', repairs: [] }]);
    const counts = await countCalls(read);
    const calls = [...counts.values()].reduce((sum, count) => sum + count, 0);
    expect([...counts.keys()].filter((file) => file.startsWith(RESCUE)).length).toBeLessThanOrEqual(
      MAX_FILES,
    );
    expect(calls).toBeLessThanOrEqual(MAX_CALLS);
    // Zero would mean that nothing was counted.
    expect(calls).toBeGreaterThan(MAX_CALLS / 2);
  });
});
