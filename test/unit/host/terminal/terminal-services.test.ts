import { beforeEach, describe, expect, test } from 'vitest';
import type * as vscode from 'vscode';
import { ApiKeys } from '../../../../src/connections/keys/api-keys';
import type { ConnectionService } from '../../../../src/connections/connection-service';
import type { CommandSource } from '../../../../src/host/terminal/command-of';
import { copyCommand, evaluateInTerminal } from '../../../../src/host/terminal/terminal-services';
import { connect } from '../../../support/connections/connect';
import { FakeSecrets } from '../../../support/connections/fake-secrets';
import { settings } from '../../../support/vscode/editor-settings';
import { editor, env, resetEditor, Uri, writeFile } from '../../../support/vscode/vscode-files';

const KEY = 'sk-canary-4711';
const HOSTED = { provider: 'hosted-api', host: 'https://api.example/v1', model: 'm', auth: 'bearer' };
const FILE = '/folder/prompts/weather.playground.json';
const CLI = 'node /extension/dist/cli.js eval prompts/weather.playground.json';
const PREFIX = `PROVIDER_PLAYGROUND_KEYS='{"https://api.example":"'"$HOSTED_API_KEY"'"}' `;

let connections: ConnectionService;
let source: CommandSource;
const target = { uri: Uri.file(FILE) as unknown as vscode.Uri };

const write = (...lanes: string[]): void =>
  writeFile(FILE, JSON.stringify({ lanes: lanes.map((connection, at) => ({ id: 'abc'[at], connection })) }));

const giveKey = async (): Promise<void> => {
  const given = await connections.keyTarget(connections.find('hosted'));
  await source.connections.keys.set('hosted', given?.binding ?? '', KEY);
};
const texts = (): string[] => editor.asked.map(([text]) => String(text));

beforeEach(() => {
  resetEditor();
  settings.user = {};
  settings.workspace = {};
  env.shell = '/bin/bash';
  editor.folders.push({ uri: Uri.file('/folder'), name: 'folder' });
  writeFile('/data/User/settings.json', '{}');
  writeFile('/folder/.vscode/settings.json', '{}');
  const keys = new ApiKeys(new FakeSecrets());
  connections = connect(keys);
  source = {
    connections: { connections, keys, close: () => Promise.resolve() },
    extensionUri: Uri.file('/extension') as unknown as vscode.Uri,
    globalStorageUri: Uri.file('/data/User/globalStorage/x.y') as unknown as vscode.Uri,
  };
});

describe('copyCommand', () => {
  test('evaluates a file on the demo with the program of the extension, and says where', async () => {
    write('demo');
    await copyCommand(source, target);
    expect(editor.clipboard).toBe(CLI);
    expect(texts()).toEqual(['Copied. Run it in /folder. It needs Node 20.19 or later.']);
  });

  test('means the chosen lanes and rows alone', async () => {
    write('demo');
    await copyCommand(source, { ...target, lanes: ['a', 'b,c'], rows: ['oslo*'] });
    expect(editor.clipboard).toBe(String.raw`${CLI} --lane 'a,b\,c' --row 'oslo\*'`);
  });

  test('runs the npm package where it is installed, and loads none', async () => {
    write('demo');
    writeFile('/folder/node_modules/provider-playground/dist/cli.js', '');
    await copyCommand(source, target);
    expect(editor.clipboard).toBe('npx --no provider-playground eval prompts/weather.playground.json');
  });

  test('names the settings in which the connections of its lanes are written, and no others', async () => {
    settings.user = { connections: { hosted: HOSTED, other: HOSTED } };
    settings.workspace = { connections: { hosted: { model: 'n' } } };
    write('other');
    await copyCommand(source, target);
    expect(editor.clipboard).toContain(`${CLI} --connections /data/User/settings.json`);
    expect(editor.clipboard).not.toContain('.vscode');
    write('demo', 'hosted');
    await copyCommand(source, target);
    expect(editor.clipboard).toBe(
      `${PREFIX}${CLI} --connections /data/User/settings.json --connections .vscode/settings.json`,
    );
    await copyCommand(source, { ...target, lanes: ['a'] });
    expect(editor.clipboard).toBe(`${CLI} --lane a`);
  });

  test('has the name of the variable of a key, and never the key', async () => {
    settings.user = { connections: { hosted: HOSTED } };
    write('hosted', 'hosted');
    await giveKey();
    await copyCommand(source, target);
    expect(editor.clipboard.startsWith(PREFIX)).toBe(true);
    expect(JSON.stringify(editor)).not.toContain('canary');
    expect(texts()[0]).toContain(
      'It takes keys from environment variables: HOSTED_API_KEY for https://api.example.',
    );
  });

  test('says what a terminal does not do: send secret headers, or read what is not saved', async () => {
    settings.user = { connections: { hosted: { ...HOSTED, auth: 'none' } } };
    write('hosted');
    const given = await connections.headerTarget(connections.find('hosted'));
    await source.connections.keys.set('hosted', given?.binding ?? '', KEY, { header: 'x-team' });
    editor.documents.push({ uri: Uri.file(FILE), isDirty: true } as never);
    await copyCommand(source, target);
    expect(texts()[0]).toContain('It reads the saved file: your last changes are not saved yet.');
    expect(texts()[0]).toContain('A terminal does not send the secret header x-team of hosted.');
  });

  test('is written for the shell of the editor', async () => {
    settings.user = { connections: { hosted: HOSTED } };
    write('hosted');
    env.shell = String.raw`C:\Windows\System32\cmd.exe`;
    await copyCommand(source, target);
    expect(editor.clipboard).toMatch(/^set "PROVIDER_PLAYGROUND_KEYS=.*%HOSTED_API_KEY%.*" && node /);
  });
});

describe('evaluateInTerminal', () => {
  const evaluate = async (answer?: string) => {
    if (answer !== undefined) editor.answers.push(answer);
    await evaluateInTerminal(source, target);
    return editor.terminals[0];
  };

  test('saves the playground, and runs the command in the folder of the workspace', async () => {
    write('demo');
    let saved = 0;
    const save = () => Promise.resolve(++saved > 0);
    editor.documents.push({ uri: Uri.file(FILE), isDirty: true, save } as never);
    const terminal = await evaluate();
    expect(saved).toBe(1);
    expect(terminal?.lines).toEqual([CLI]);
    expect(terminal?.options).toEqual({ name: 'Evaluate weather.playground.json', cwd: Uri.file('/folder') });
  });

  test('gives a stored key to this terminal alone, after a question, and where no editor keeps it', async () => {
    settings.user = { connections: { hosted: HOSTED } };
    write('hosted');
    await giveKey();
    const terminal = await evaluate('Give Key to This Terminal');
    expect(terminal?.options).toMatchObject({
      env: { PROVIDER_PLAYGROUND_KEYS: JSON.stringify({ 'https://api.example': KEY }) },
      isTransient: true,
    });
    expect(terminal?.lines).toEqual([`${CLI} --connections /data/User/settings.json`]);
    expect(texts()).toEqual(['Give this terminal the key for https://api.example?']);
  });

  test('leaves the key to the person who declines, and opens none when the question is left', async () => {
    settings.user = { connections: { hosted: HOSTED } };
    write('hosted');
    await giveKey();
    await evaluate('Cancel');
    expect(editor.terminals).toEqual([]);
    const terminal = await evaluate('Open Without Key');
    expect(terminal?.options).not.toHaveProperty('env');
    expect(terminal?.lines[0]?.startsWith(PREFIX)).toBe(true);
    expect(JSON.stringify(editor.terminals)).not.toContain('canary');
  });

  test('does not run where the file is on another machine, and offers the command', async () => {
    const uri = Uri.from({ scheme: 'vscode-remote', authority: 'ssh', path: FILE }) as unknown as vscode.Uri;
    write('demo');
    editor.answers.push('Copy Command');
    await evaluateInTerminal(source, { uri });
    expect(editor.terminals).toEqual([]);
    expect(editor.clipboard).toMatch(/^npx --no provider-playground eval weather/);
  });

  test('opens no terminal for a file that cannot be saved', async () => {
    write('demo');
    const save = () => Promise.resolve(false);
    editor.documents.push({ uri: Uri.file(FILE), isDirty: true, save } as never);
    expect(await evaluate()).toBeUndefined();
    expect(texts()[0]).toContain('was not saved');
  });
});
