import { beforeEach, describe, expect, test } from 'vitest';
import type * as vscode from 'vscode';
import { ApiKeys } from '../../../../src/connections/keys/api-keys';
import type { CommandSource } from '../../../../src/host/terminal/command-of';
import { completeTask, findTasks } from '../../../../src/host/terminal/evaluation-tasks';
import { connect } from '../../../support/connections/connect';
import { FakeSecrets } from '../../../support/connections/fake-secrets';
import { settings } from '../../../support/vscode/editor-settings';
import type { Task } from '../../../support/vscode/vscode-files';
import { editor, resetEditor, Uri, writeFile } from '../../../support/vscode/vscode-files';

const FOLDER = { uri: Uri.file('/folder'), name: 'folder' };
const SCRIPT = '/extension/dist/cli.js';
const PROBLEMS = ['--reporter', 'pretty', '--reporter', 'problems'];
let source: CommandSource;

beforeEach(() => {
  resetEditor();
  settings.user = {};
  settings.workspace = {};
  editor.folders.push(FOLDER);
  const keys = new ApiKeys(new FakeSecrets());
  source = {
    connections: { connections: connect(keys), keys, close: () => Promise.resolve() },
    extensionUri: Uri.file('/extension') as unknown as vscode.Uri,
    globalStorageUri: Uri.file('/data/User/globalStorage/x.y') as unknown as vscode.Uri,
  };
});

async function argsOf(definition: object, scope: unknown = FOLDER): Promise<string[] | undefined> {
  const given = { definition, scope } as unknown as vscode.Task;
  const task = (await completeTask(source, given)) as unknown as Task | undefined;
  if (task) expect(task.definition).toBe(definition);
  return task?.execution.args;
}

describe('findTasks', () => {
  test('finds the playgrounds of the workspace that expect something, and runs each without a shell', async () => {
    const name = "it's $(touch x).playground.json";
    writeFile(`/folder/prompts/${name}`, '{"expect":[{"calls":[]}]}');
    writeFile('/folder/chat.playground.json', '{}');
    writeFile('/elsewhere/far.playground.json', '{"expect":[{"calls":[]}]}');
    const tasks = (await findTasks(source)) as unknown as Task[];
    expect(tasks).toHaveLength(1);
    expect(tasks[0]).toMatchObject({
      definition: { type: 'provider-playground', file: `prompts/${name}` },
      scope: FOLDER,
      name: `prompts/${name}`,
      problemMatchers: '$provider-playground',
      execution: {
        process: 'node',
        args: [SCRIPT, 'eval', `prompts/${name}`, ...PROBLEMS],
        options: { cwd: '/folder' },
      },
      group: 'test',
    });
  });

  test('has no key, whatever its lanes need', async () => {
    settings.user = {
      connections: {
        own: { provider: 'hosted-api', host: 'https://a.example/v1', model: 'm', auth: 'bearer' },
      },
    };
    writeFile('/data/User/settings.json', '{}');
    writeFile('/folder/a.playground.json', '{"lanes":[{"id":"a","connection":"own"}],"expect":[]}');
    const { connections, keys } = source.connections;
    const given = await connections.keyTarget(connections.find('own'));
    await keys.set('own', given?.binding ?? '', 'sk-canary');
    const tasks = await findTasks(source);
    expect(JSON.stringify(tasks)).toContain('"--connections","/data/User/settings.json"');
    expect(JSON.stringify(tasks)).not.toContain('canary');
  });
});

describe('completeTask', () => {
  test('tells the command what tasks.json says, and leaves out what has another type', async () => {
    const definition = {
      type: 'provider-playground',
      file: 'a.playground.json',
      lanes: ['a'],
      repeat: 3,
      minLane: 0.9,
      shard: {},
      reporters: ['junit=junit.xml'],
      unknown: 'x',
    };
    const args = await argsOf(definition);
    expect(args?.slice(0, 3)).toEqual([SCRIPT, 'eval', 'a.playground.json']);
    expect(args?.slice(3).join(' ')).toBe(
      '--lane a --repeat 3 --min-lane 0.9 --reporter junit=junit.xml --reporter problems',
    );
  });

  test('takes the first folder for a task of the whole workspace, and refuses one on another machine', async () => {
    const definition = { type: 'provider-playground', file: 'gone.playground.json' };
    expect(await argsOf(definition, 2)).toEqual([SCRIPT, 'eval', 'gone.playground.json', ...PROBLEMS]);
    const uri = Uri.from({ scheme: 'vscode-remote', path: '/folder' });
    expect(await argsOf(definition, { uri, name: 'folder' })).toBeUndefined();
  });

  test('runs the npm package of the folder, where it is installed', async () => {
    writeFile('/folder/node_modules/provider-playground/dist/cli.js', '');
    const args = await argsOf({ type: 'provider-playground', file: 'a.playground.json' });
    expect(args?.[0]).toBe('/folder/node_modules/provider-playground/dist/cli.js');
  });
});
