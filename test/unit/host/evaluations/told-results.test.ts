// Results that follow what a file says.
import type * as vscode from 'vscode';
import { beforeEach, describe, expect, test } from 'vitest';
import { editor, resetEditor, Uri } from '../../../support/vscode/vscode-files';
import type { Setting } from './explore';
import { DOCUMENT, ended, explore, exploreStopped, PATH } from './explore';

beforeEach(resetEditor);

describe('results', () => {
  const change = ({ opened }: Setting, document: object): void => {
    opened[0]?.backing.replace(JSON.stringify(document, null, 2));
    editor.changed.fire({ document: { uri: Uri.file(PATH) }, contentChanges: [{}] });
  };

  test('are judged again without a request when what is expected changes', async () => {
    const explorer = explore();
    await explorer.run();
    explorer.told.length = 0;
    change(explorer, { ...DOCUMENT, expect: [{ calls: [{ tool: 'get_weather' }] }] });
    await expect.poll(() => explorer.runs).toEqual([undefined, 'Judged again']);
    expect(explorer.told).toEqual(['model-a rome: passed', 'model-b rome: passed']);
    expect(explorer.outdated).toEqual([]);
    expect(explorer.output.at(-1)).toMatch(/judged again.*Nothing was sent\.\r\n$/);
    expect(explorer.opened[0]?.asked).toHaveLength(8);
  });

  test('are those of an evaluation that went on elsewhere, and are told once', async () => {
    const explorer = exploreStopped();
    const uri = Uri.file(PATH) as unknown as vscode.Uri;
    await explorer.run();
    expect(ended(explorer)).toContain('model-b rome: skipped');
    explorer.told.length = 0;
    const [opened] = explorer.opened;
    await opened?.session.evaluation.start({ isConfirmed: true });
    await opened?.session.evaluation.ended();
    explorer.services.evaluated(uri);
    await expect.poll(() => explorer.runs).toEqual([undefined, 'Evaluated elsewhere']);
    expect(ended(explorer)).toContain('model-b rome: failed');
    expect(explorer.output.at(-1)).toMatch(/outside of the Test Explorer, which sent nothing/);
    const looked = explorer.opened.length;
    explorer.services.evaluated(uri);
    await expect.poll(() => explorer.opened.length).toBe(looked + 1);
    change(explorer, { ...DOCUMENT, expect: [{ calls: [{ tool: 'get_weather' }] }] });
    await expect.poll(() => explorer.runs).toEqual([undefined, 'Evaluated elsewhere', 'Judged again']);
  });

  test('are outdated when something else would be sent', async () => {
    const explorer = explore();
    await explorer.run();
    change(explorer, {
      ...DOCUMENT,
      evaluate: { ...DOCUMENT.evaluate, rows: DOCUMENT.evaluate.rows.slice(0, 1) },
    });
    await expect.poll(() => explorer.outdated).toEqual(['model-a rome', 'model-b rome']);
    change(explorer, { ...DOCUMENT, system: 'Be brief.' });
    await expect.poll(() => explorer.outdated.slice(2)).toEqual(['model-a oslo', 'model-b oslo']);
    expect(explorer.runs).toHaveLength(1);
  });
});
