import { beforeEach, describe, expect, test } from 'vitest';
import { openRowsFile } from '../../../../../src/host/playground/files/rows-file';
import { editor, resetEditor } from '../../../../support/vscode/vscode-files';

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
