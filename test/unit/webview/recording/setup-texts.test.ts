import { describe, expect, it } from 'vitest';
import { configurationMembers, variableLines } from '../../../../webview/recording/setup-texts';
import type { Shell } from '../../../../webview/recording/setup-texts';
import { scriptRecording } from '../../../support/panel/scripted-recording';

const linesOf = (baseUrl: string, shell: Shell, key: 'added' | 'missing' = 'added'): string[] =>
  variableLines({ kind: 'openai', baseUrl }, shell, key).map(
    ({ before, value, after }) => `${before}${value}${after}`,
  );

describe('variableLines', () => {
  const url = 'http://127.0.0.1:41234/r/k3f9/v1';

  it.each<[Shell, string[]]>([
    ['bash', [`export OPENAI_BASE_URL=${url}`, 'export OPENAI_API_KEY=unused']],
    ['powershell', [`$env:OPENAI_BASE_URL = '${url}'`, "$env:OPENAI_API_KEY = 'unused'"]],
    ['cmd', [`set "OPENAI_BASE_URL=${url}"`, 'set "OPENAI_API_KEY=unused"']],
  ])('sets the variables in %s', (shell, lines) => {
    expect(linesOf(url, shell)).toEqual(lines);
  });

  it('quotes what the shell would read in another way', () => {
    expect(linesOf("http://h/a'b&c", 'bash')[0]).toBe(String.raw`export OPENAI_BASE_URL='http://h/a'\''b&c'`);
    expect(linesOf("http://h/a'b", 'powershell')[0]).toBe("$env:OPENAI_BASE_URL = 'http://h/a''b'");
  });

  it('leaves the key of a program that needs its own as it is', () => {
    expect(linesOf(url, 'bash', 'missing')).toEqual([`export OPENAI_BASE_URL=${url}`]);
  });
});

describe('configurationMembers', () => {
  it('names the address for the first client, a key where none is needed, and the model', () => {
    expect(configurationMembers(scriptRecording()).map(({ name }) => name)).toEqual([
      'baseURL',
      'apiKey',
      'model',
    ]);
    expect(configurationMembers(scriptRecording({ key: 'missing', model: undefined }))).toHaveLength(1);
    expect(configurationMembers(scriptRecording({ clients: [] }))).toEqual([]);
  });
});
