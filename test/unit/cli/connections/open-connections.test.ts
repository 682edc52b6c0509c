// Keys of the environment go to their origin alone, and into nothing that is written, whatever a server says.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../../../src/cli/command';
import { CommandFolder, playground } from '../../../support/cli/command-folder';
import { ChatServer } from '../../../support/servers/chat-server';

const CANARY = 'sk-canary-4711-abcdefghijklmnop';
const server = new ChatServer();
const elsewhere = new ChatServer();
let folder: CommandFolder;

const connections = (change: object = {}): string =>
  JSON.stringify({
    // a comment and other settings are those of VS Code
    'editor.fontSize': 12,
    'providerPlayground.connections': {
      own: { provider: 'hosted-api', host: `${server.host}/v1`, model: 'm', ...change },
    },
  }).replace('{', '{ // settings\n');

const evaluate = (...words: string[]) => folder.run('eval', '--connections', 'settings.json', ...words);

beforeAll(async () => {
  await Promise.all([server.start(), elsewhere.start()]);
  folder = await CommandFolder.open();
  await folder.write('weather.playground.json', playground({ lanes: [{ id: 'a', connection: 'own' }] }));
  server.reply = ({ authorization }) => ({
    role: 'assistant',
    content: `You sent ${authorization ?? 'nothing'} and ${encodeURIComponent(CANARY)}.`,
    tool_calls: [
      {
        id: 'c',
        type: 'function',
        function: { name: CANARY, arguments: JSON.stringify({ city: authorization }) },
      },
    ],
  });
});
afterAll(() => Promise.all([server.stop(), elsewhere.stop(), folder.close()]));

describe('the keys of the environment', () => {
  it('are sent to their origin, and stand in no report, blob, annotation or message', async () => {
    folder.environment = {
      PROVIDER_PLAYGROUND_KEYS: JSON.stringify({ [server.host]: CANARY }),
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: join(folder.path, 'summary.md'),
    };
    await folder.write('settings.json', connections());
    const kinds = ['json', 'jsonl', 'junit', 'markdown'].flatMap((kind) => [
      '--reporter',
      `${kind}=report.${kind}`,
    ]);
    const { code, output, talk } = await evaluate(...kinds, '--reporter', 'pretty', '--blob', 'blob.jsonl');
    expect(code).toBe(EXIT.unmet);
    expect(server.requests[0]?.authorization).toBe(`Bearer ${CANARY}`);
    const names = (await readdir(folder.path)).filter((name) => /^(report|blob|summary)/.test(name));
    expect(names).toHaveLength(6);
    const texts = [output, talk, ...(await Promise.all(names.map((name) => folder.read(name))))];
    for (const text of texts) expect(text).not.toContain('canary');
    expect(talk).toContain('::error file=weather.playground.json');
  });

  it('are not sent where a file of connections points instead', async () => {
    await folder.write('settings.json', connections({ host: `${elsewhere.host}/v1` }));
    const { code, talk } = await evaluate('--reporter', 'json');
    expect(code).toBe(EXIT.unusable);
    expect(talk).toContain(
      `There are keys for ${server.host}: they are not sent elsewhere. Nothing was sent.`,
    );
    expect(talk).toContain(`PROVIDER_PLAYGROUND_KEYS='{"${elsewhere.host}":"…"}'`);
    expect(elsewhere.requests).toEqual([]);
    await folder.write('settings.json', connections({ host: `${elsewhere.host}/v1`, auth: 'none' }));
    await evaluate('--reporter', 'json', '--row', 'oslo');
    expect(elsewhere.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it('are sent where several files together point, of which the later win key by key', async () => {
    folder.environment = { PROVIDER_PLAYGROUND_KEYS: JSON.stringify({ [server.host]: CANARY }) };
    await folder.write(
      'settings.json',
      connections({ host: 'http://127.0.0.1:9/v1', sampling: { seed: 7 } }),
    );
    const settings = JSON.parse(connections({ model: 'n' }).replace('// settings', '')) as object;
    await folder.write('own.code-workspace', JSON.stringify({ folders: [], settings }));
    server.requests.length = 0;
    await evaluate('--connections', 'own.code-workspace', '--row', 'oslo', '--reporter', 'json');
    expect(server.requests[0]?.body).toMatchObject({ model: 'n', seed: 7 });
  });

  it('are asked for when there is none, and a wrong file is named with its line', async () => {
    folder.environment = {};
    await folder.write('settings.json', connections());
    const missing = await evaluate();
    expect(missing.talk).toContain('PROVIDER_PLAYGROUND_KEYS=');
    expect(missing.code).toBe(EXIT.unusable);
    await folder.write('settings.json', '{\n  "own": ]');
    expect((await evaluate()).talk).toContain('settings.json:2: ');
    expect((await folder.run('eval', '--connections', 'gone.json')).talk).toContain(
      'There is no file gone.json.',
    );
  });
});
