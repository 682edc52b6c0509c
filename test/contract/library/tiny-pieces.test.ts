// Bodies that come byte by byte, read in a process with little memory: what they cost depends on their bytes only.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { startTinyPiecesServer } from '../../support/servers/tiny-pieces-server';

const BYTES = 1_000_000;

describe('a body in pieces of one byte', () => {
  test('takes little memory, and a stop is noticed between the pieces', async () => {
    await using server = await startTinyPiecesServer(BYTES);
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--max-old-space-size=64',
      'test/support/run-typescript.mjs',
      'test/contract/library/read-tiny-pieces.ts',
      server.url,
    ]);
    const { results, peakMib } = JSON.parse(stdout) as {
      results: { whole: object; stopped: { bytes: number } }[];
      peakMib: number;
    };
    expect(results).toMatchObject([
      { status: '200', way: 'whole', whole: { code: 'response-format', bytes: BYTES } },
      { status: '200', way: 'stream', whole: { code: 'truncated-stream', bytes: BYTES } },
      { status: '500', way: 'whole', whole: { code: 'http', bytes: BYTES } },
      { status: '500', way: 'stream', whole: { code: 'http', bytes: BYTES } },
    ]);
    // As many as are passed on in one turn, before and after the one in which the headers arrived.
    for (const { stopped } of results) {
      expect(stopped).toMatchObject({ code: 'aborted' });
      expect(stopped.bytes).toBeLessThanOrEqual(2 * 32_768);
    }
    expect(peakMib).toBeLessThan(220);
  });
});
