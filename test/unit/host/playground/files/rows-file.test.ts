import { beforeEach, describe, expect, test } from 'vitest';
import { chooseRowsFile, openRowsFile } from '../../../../../src/host/playground/files/rows-file';
import { editor, resetEditor, Uri } from '../../../../support/vscode/vscode-files';

beforeEach(resetEditor);

describe('openRowsFile', () => {
  test('opens the file beside the playground at the line', async () => {
    await openRowsFile('file:file:///x/weather.playground.json', './data/cities.csv', 3);
    expect(editor.shown).toMatchObject([
      { uri: { path: '/x/data/cities.csv' }, options: { selection: { start: { line: 2 } } } },
    ]);
  });

  test('opens nothing for a path that leads elsewhere, or without a folder', async () => {
    await openRowsFile('file:file:///x/weather.playground.json', '../../etc/passwd.csv', 1);
    await openRowsFile('scratch:1', './cities.csv', 1);
    expect(editor.shown).toEqual([]);
  });
});

describe('chooseRowsFile', () => {
  const choose = (path: string, session = 'file:file:///x/a/weather.playground.json') => {
    editor.answers.push([Uri.file(path)]);
    return chooseRowsFile(session);
  };

  test('gives the path from the playground', async () => {
    expect(await choose('/x/a/data/cities.csv')).toBe('./data/cities.csv');
  });

  test('says why a file cannot be used', async () => {
    expect(await choose('/etc/cities.csv')).toBeUndefined();
    expect(editor.asked.at(-1)?.[0]).toContain('is neither in the workspace nor below the folder');
    expect(await choose('/x/a/cities.csv', 'scratch:1')).toBeUndefined();
    expect(editor.asked.at(-1)?.[0]).toContain('save the playground as a file');
  });

  test('gives nothing when it was cancelled', async () => {
    editor.answers.push(undefined);
    expect(await chooseRowsFile('file:file:///x/a/weather.playground.json')).toBeUndefined();
  });
});
