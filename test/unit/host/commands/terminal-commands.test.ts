import { beforeEach, describe, expect, test } from 'vitest';
import type { CommandServices } from '../../../../src/host/commands/command-services';
import { copyTerminalCommand, evaluateInTerminal } from '../../../../src/host/commands/terminal-commands';
import { editor, resetEditor, Uri } from '../../../support/vscode/vscode-files';

beforeEach(resetEditor);

const FILE = Uri.file('/folder/weather.playground.json');
const ITEM = {};

/** @returns what was asked of the terminal */
async function run(
  target: unknown,
  { active, scratch }: { active?: Uri; scratch?: object } = {},
  command = copyTerminalCommand,
): Promise<unknown[]> {
  const done: unknown[] = [];
  const act = (kind: string) => (file: object) => Promise.resolve(void done.push({ kind, ...file }));
  await command(
    {
      editor: { active: active && { uri: active } },
      panels: { active: scratch, saveAs: () => Promise.resolve(FILE) },
      evaluations: {
        placeOf: (item: unknown) =>
          Promise.resolve(item === ITEM ? { uri: FILE, laneId: 'a', rowId: 'oslo' } : undefined),
      },
      terminal: { copy: act('copy'), evaluate: act('evaluate') },
    } as unknown as CommandServices,
    target,
  );
  return done;
}

describe('the commands for a terminal', () => {
  test('take the file of a menu, else the active playground', async () => {
    expect(await run(FILE)).toMatchObject([{ kind: 'copy', uri: FILE }]);
    expect(await run(undefined, { active: FILE }, evaluateInTerminal)).toMatchObject([
      { kind: 'evaluate', uri: FILE },
    ]);
  });

  test('take the lane and the row of an item in the Test Explorer', async () => {
    expect(await run(ITEM)).toEqual([{ kind: 'copy', uri: FILE, lanes: ['a'], rows: ['oslo'] }]);
  });

  test('save a scratch first, or do nothing', async () => {
    editor.answers.push('Save As Playground File…');
    expect(await run(undefined, { scratch: {} })).toEqual([{ kind: 'copy', uri: FILE }]);
    expect(await run(undefined, { scratch: {} })).toEqual([]);
    expect(String(editor.asked[1]?.[0])).toContain('The command line reads files');
  });

  test('say that no playground is active', async () => {
    expect(await run(undefined)).toEqual([]);
    expect(editor.asked).toEqual([['No playground is active. Open one first.']]);
  });
});
