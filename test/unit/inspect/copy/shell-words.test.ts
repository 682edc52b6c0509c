// bash itself reads what is written for it; what is written for the other shells is read as their documentation says.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { ShellCommand } from '../../../../src/inspect';
import { printCommand, shellOf } from '../../../../src/inspect';
import { readPowerShell } from '../../../support/texts/powershell-words';

const HOSTILE = [
  'a b',
  `it's "so" $(touch x) \`id\` $HOME %PATH% !! \\`,
  '-x',
  'a,b;c&d|e>f<g(h)',
  '‘a’ “b”',
  'é🌦️',
  '',
];
const KEYS: ShellCommand = {
  words: ['node', '/opt/a b/cli.js', 'eval', 'weather.playground.json'],
  variables: [{ name: 'KEYS', value: ['{"https://api.example":"', { variable: 'EXAMPLE_API_KEY' }, '"}'] }],
};

describe('printCommand', () => {
  /** Without the files that bash reads when nothing says what started it. */
  const runInBash = (line: string, environment: Record<string, string> = {}): string =>
    execFileSync('bash', ['--norc', '-c', line], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, ...environment },
    });

  test('gives a program in bash exactly its words, whatever they contain', () => {
    const words = [...HOSTILE, 'next\nline', 'a\u0003b\u001b'];
    const line = printCommand('bash', { words: ['printf', String.raw`%s\0`, ...words] });
    expect(runInBash(line).split('\0').slice(0, -1)).toEqual(words);
  });

  test('gives a program in PowerShell its words, on one line', () => {
    const line = printCommand('powershell', { words: ['node', ...HOSTILE] });
    expect(readPowerShell(line, {})).toEqual([['node', ...HOSTILE]]);
    expect(printCommand('powershell', { words: ['C:\\a b\\node.exe', 'x\ny\u0003'] })).toBe(
      "& 'C:\\a b\\node.exe' 'x y '",
    );
  });

  test('gives a program in cmd its words: where a quote or a percent sign is, cmd reads nothing as special', () => {
    expect(printCommand('cmd', { words: ['node', 'C:\\a b\\', 'c&d', 'eval'] })).toBe(
      String.raw`node "C:\a b\\" "c&d" eval`,
    );
    const line = printCommand('cmd', { words: ['node', String.raw`50% "x\" & del`] });
    expect(line).toBe(String.raw`node ^"50^% \^"x\\\^" ^& del^"`);
  });

  test('names the variable of a key, whose value the shell puts in', () => {
    const line = printCommand('bash', { ...KEYS, words: ['bash', '--norc', '-c', 'printf %s "$KEYS"'] });
    expect(runInBash(line, { EXAMPLE_API_KEY: 'sk-1' })).toBe('{"https://api.example":"sk-1"}');
    expect(printCommand('powershell', KEYS)).toBe(
      '$env:KEYS = "{`"https://api.example`":`"${env:EXAMPLE_API_KEY}`"}"; node \'/opt/a b/cli.js\' eval weather.playground.json',
    );
    expect(printCommand('cmd', KEYS)).toBe(
      'set "KEYS={"https://api.example":"%EXAMPLE_API_KEY%"}" && node "/opt/a b/cli.js" eval weather.playground.json',
    );
  });
});

test.each([
  ['/bin/zsh', 'bash'],
  ['/usr/bin/fish', 'bash'],
  ['C:\\Program Files\\PowerShell\\7\\pwsh.exe', 'powershell'],
  ['C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe', 'powershell'],
  ['/usr/bin/pwsh', 'powershell'],
  ['C:\\WINDOWS\\system32\\cmd.exe', 'cmd'],
  ['C:\\Program Files\\Git\\bin\\bash.exe', 'bash'],
  ['', 'powershell'],
])('shellOf %s is %s on Windows', (path, shell) => {
  expect(shellOf(path, true)).toBe(shell);
  expect(shellOf('', false)).toBe('bash');
});
