// The terminal of this process: what a person is told who is waited for.
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { processTerminal } from '../../../src/cli/terminal';

afterEach(() => vi.restoreAllMocks());

function read(isTerminal: boolean) {
  const input = Object.assign(Readable.from(['one ', 'two']), { isTTY: isTerminal });
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as unknown as typeof process.stdin);
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  return processTerminal(() => undefined)
    .readInput()
    .then((text) => ({ text, said: said.mock.calls.map(([words]) => words) }));
}

describe('processTerminal', () => {
  it('says how to end a text that is typed', async () => {
    expect(await read(true)).toEqual({
      text: 'one two',
      said: [expect.stringMatching(/^Type or paste the text, and end it with .*Ctrl\+[DZ].*\n$/)],
    });
  });

  it('says nothing to a pipe', async () => {
    expect(await read(false)).toEqual({ text: 'one two', said: [] });
  });
});
