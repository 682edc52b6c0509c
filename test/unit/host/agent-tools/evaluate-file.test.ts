// The tool that evaluates a playground file for an agent: only files of the workspace, after a person was told what it sends.
import { beforeEach, describe, expect, it } from 'vitest';
import { createEvaluateFile } from '../../../../src/host/agent-tools/evaluate-file';
import { calling } from '../../../support/session/scripted-session';
import { editor, resetEditor, Uri, workspace, writeFile } from '../../../support/vscode/vscode-files';
import { explore } from '../evaluations/explore';

type Setup = Parameters<typeof explore>[0];

function open(setup: Setup = {}) {
  const explorer = explore(setup);
  const tool = createEvaluateFile({ services: () => Promise.resolve(explorer.services) });
  const asked = (): number => explorer.opened[0]?.asked.length ?? 0;
  return { explorer, tool, asked };
}
const limits = (signal = new AbortController().signal, most = 24_000) => ({ signal, most });
const FILE = { file: 'weather.playground.json' };

beforeEach(() => {
  resetEditor();
  editor.folders.push({ uri: Uri.file('/folder'), name: 'folder' });
});

describe('the tool that evaluates a playground file', () => {
  it('says how many requests it sends before it sends any, and less when some are there already', async () => {
    const { tool, asked } = open();
    const { title, message } = await tool.prepare(FILE);
    expect(title).toContain('weather.playground.json');
    expect(message).toMatch(/^It sends up to 8 requests, which cost nothing\./);
    expect(asked()).toBe(0);
    await tool.invoke({ ...FILE, lanes: ['a'] }, limits());
    expect(asked()).toBe(4);
    expect((await tool.prepare(FILE)).message).toMatch(/^It sends up to 4 requests/);
    expect((await tool.prepare({ ...FILE, lanes: ['a'] })).message).toMatch(
      /^Every sample is stored already\./,
    );
  });

  it('tells the summary, with the rates of the lanes and the cases that fail', async () => {
    const { tool, asked } = open({ script: () => calling('get_weather') });
    const told = await tool.invoke({ ...FILE, lanes: ['a'], rows: ['oslo', 'rome'] }, limits());
    expect(asked()).toBe(4);
    expect(told).toContain('# Evaluation of');
    expect(told).toMatch(/Failing cases/);
    expect(told).toContain('rome');
  });

  it('starts without another question, because the editor has asked', async () => {
    const { tool, asked } = open({
      document: {
        messages: [{ role: 'user', content: 'Hi' }],
        lanes: [{ id: 'a', model: 'model-a' }],
        evaluate: { repeat: 60 },
        expect: [{ text: { contains: '' } }],
      },
      script: () => ({ content: 'Hi' }),
    });
    await tool.invoke(FILE, limits());
    expect(asked()).toBe(60);
    expect(editor.asked).toEqual([]);
  });

  it('stops when it is cancelled, and tells what there is', async () => {
    const stop = new AbortController();
    let sent = 0;
    const { tool, asked } = open({
      limit: 1,
      script: () => {
        if (++sent === 3) stop.abort();
        return calling('get_weather');
      },
    });
    const told = await tool.invoke(FILE, limits(stop.signal));
    expect(asked()).toBeLessThan(8);
    expect(told).toContain('not run');
  });

  it('cuts a long summary at a line', async () => {
    const { tool } = open();
    const told = await tool.invoke(FILE, limits(undefined, 300));
    expect(told.length).toBeLessThan(400);
    expect(told).toMatch(/\n\nThe rest is left out/);
  });

  it.each([
    '../outside.playground.json',
    '/etc/other.playground.json',
    'none.playground.json',
    'package.json',
    '',
  ])('refuses %j and names the files that there are', async (file) => {
    writeFile('/outside.playground.json', '{}');
    writeFile('/etc/other.playground.json', '{}');
    writeFile('/folder/package.json', '{}');
    const { tool } = open();
    await expect(tool.prepare({ file })).rejects.toThrow(/no playground file .* It has .*folder\/weather/);
    await expect(tool.invoke({ file }, limits())).rejects.toThrow(/no playground file/);
  });

  it('refuses a workspace that is not trusted, and ids that are none', async () => {
    const { tool } = open();
    await expect(tool.invoke({ ...FILE, lanes: 'a' }, limits())).rejects.toThrow(
      'lanes must be a list of ids.',
    );
    Object.assign(workspace, { isTrusted: false });
    await expect(tool.invoke(FILE, limits())).rejects.toThrow(/not trusted/);
  });
});
