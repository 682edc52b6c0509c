// What the Test Explorer lists.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Uri } from '../../../support/vscode/vscode-files';
import { editor, resetEditor, writeFile } from '../../../support/vscode/vscode-files';
import { DOCUMENT, ended, explore, FILE, PATH } from './explore';

beforeEach(resetEditor);

describe('the items', () => {
  test('are the files that expect something, and after a look into one its lanes and rows', async () => {
    writeFile('/folder/chat.playground.json', JSON.stringify({ messages: [] }));
    writeFile('/folder/tool.playground.json', JSON.stringify({ tools: [{ parameters: { expect: [1] } }] }));
    const explorer = explore();
    await explorer.services.resolve(undefined);
    expect(explorer.tree()).toEqual(['folder/weather.playground.json']);
    await explorer.services.resolve(explorer.item(FILE));
    expect(explorer.tree()).toEqual([
      'folder/weather.playground.json',
      '  model-a',
      '    oslo',
      '    rome',
      '  model-b',
      '    oslo',
      '    rome',
    ]);
  });

  test('stand where their part of the file does', async () => {
    const explorer = explore();
    await explorer.open();
    const lines = JSON.stringify(DOCUMENT, null, 2).split('\n');
    const lineOf = (...ids: string[]): string | undefined =>
      lines[(explorer.item(...ids).range?.start as { line: number } | undefined)?.line ?? -1]?.trim();
    expect(lineOf(FILE)).toBe('"expect": [');
    const lane = explorer.item(FILE, 'b').range?.start.line ?? 0;
    expect(lines.slice(lane, lane + 2).map((line) => line.trim())).toEqual(['{', '"id": "b",']);
    const row = explorer.item(FILE, 'b', 'rome').range?.start.line ?? 0;
    expect(lines[row + 1]?.trim()).toBe('"id": "rome",');
  });

  test('have the reason for which a file cannot be evaluated', async () => {
    const explorer = explore({
      document: { ...DOCUMENT, messages: [{ role: 'user', content: '{{town}}' }] },
    });
    await explorer.open();
    expect(explorer.item(FILE).error).toContain('town');
    expect(explorer.tree()).toHaveLength(1);
  });

  test('go with their file', async () => {
    const explorer = explore();
    await explorer.services.resolve(undefined);
    editor.files.delete(PATH);
    await explorer.services.resolve(undefined);
    expect(explorer.tree()).toEqual([]);
  });

  test('of many rows are few, one for the rest, and those of the rest that failed', async () => {
    const rows = Array.from({ length: 502 }, (_, index) => ({
      id: `${index}`,
      city: index === 500 ? 'Rome' : 'Oslo',
    }));
    const explorer = explore({ document: { ...DOCUMENT, evaluate: { repeat: 1, rows } } });
    editor.answers.push('Evaluate');
    await explorer.run();
    expect(explorer.tree()).toHaveLength(1 + 2 * (1 + 250 + 1 + 1));
    expect(explorer.tree().slice(-2)).toEqual(['    251 more rows', '    500']);
    expect(ended(explorer)).toEqual(
      expect.arrayContaining(['model-b 249: passed', 'model-b 500: failed', 'model-b 251 more rows: passed']),
    );
    expect(explorer.output.join('')).toContain('model-b, 251 more rows: 251 of 251 rows passed\r\n');
  });

  test('have tags that name their lane, its model, whether it may cost something, and those of their row', async () => {
    const [first, second] = DOCUMENT.lanes;
    const lanes = [first, { ...second, connection: 'far' }];
    const rows = [{ $id: 'oslo', $tags: ['nordic'], city: 'Oslo' }];
    const explorer = explore({ document: { ...DOCUMENT, lanes, evaluate: { rows } }, hosted: ['far'] });
    await explorer.open();
    const tagsOf = (...ids: string[]): string[] => explorer.item(...ids).tags.map(({ id }) => id);
    expect(tagsOf(FILE, 'a')).toEqual(['lane:a', 'model:model-a', 'local']);
    expect(tagsOf(FILE, 'b', 'oslo')).toEqual(['lane:b', 'model:model-b', 'hosted', 'nordic']);
    expect(tagsOf(FILE)).toEqual(['lane:a', 'model:model-a', 'local', 'lane:b', 'model:model-b', 'hosted']);
  });

  test('stay the same when their file is read again, with its new rows', async () => {
    const explorer = explore();
    await explorer.open();
    const before = explorer.item(FILE, 'b', 'oslo');
    const rows = [...DOCUMENT.evaluate.rows, { id: 'lima', city: 'Lima' }];
    explorer.opened[0]?.backing.replace(JSON.stringify({ ...DOCUMENT, evaluate: { repeat: 1, rows } }));
    await explorer.run([explorer.item(FILE, 'b')]);
    expect(explorer.item(FILE, 'b', 'oslo')).toBe(before);
    expect(ended(explorer)).toEqual(['model-b lima: failed', 'model-b oslo: passed', 'model-b rome: failed']);
  });

  test('say that a file is not JSON, until it is again', async () => {
    const explorer = explore();
    const text = editor.files.get(PATH)?.text ?? '';
    writeFile(PATH, text.slice(0, -1));
    await explorer.services.resolve(undefined);
    expect(explorer.item(FILE).error).toBe('The file is not valid JSON.');
    writeFile(PATH, text);
    await explorer.services.resolve(undefined);
    expect(explorer.item(FILE).error).toBeUndefined();
  });

  test('lead to what limits the evaluation', async () => {
    const explorer = explore();
    await explorer.services.configure();
    const lines = (editor.files.get(PATH)?.text ?? '').split('\n');
    const [shown] = editor.shown as { uri: Uri; options: { selection: { start: { line: number } } } }[];
    expect(shown?.uri.toString()).toBe(FILE);
    expect(lines[shown?.options.selection.start.line ?? 0]?.trim()).toBe('"evaluate": {');
  });
});
