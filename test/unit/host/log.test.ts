import { beforeEach, expect, test, vi } from 'vitest';
import { openLog } from '../../../src/host/log';

const lines = vi.hoisted(() => [] as string[]);
vi.mock('vscode', () => ({
  window: {
    createOutputChannel: () => ({
      info: (line: string) => lines.push(`info ${line}`),
      warn: (line: string) => lines.push(`warn ${line}`),
      error: (line: string) => lines.push(`error ${line}`),
    }),
  },
}));
beforeEach(() => void (lines.length = 0));

test('a label starts no new line and has no hidden characters', () => {
  openLog().info('acme\n2026-01-01 00:00:00.000 [info] allowed');
  openLog().warn('acme\u202e\u200b');
  expect(lines).toEqual([
    'info acme\\u{a}2026-01-01 00:00:00.000 [info] allowed',
    'warn acme\\u{202e}\\u{200b}',
  ]);
});

test('each line of a stack becomes an indented line of the log', () => {
  openLog().error('Error: a\nfake\u2028\n    at b');
  expect(lines).toEqual(['error Error: a', 'error   fake\\u{2028}', 'error       at b']);
});
