// The command `models`, in this process: what it lists, and its exit codes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../../../src/cli/command';
import { runCommandLine } from '../../../../src/cli/run-command-line';
import { fakeTerminal } from '../../../support/cli/fake-terminal';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-models-'));
  const closed = { provider: 'local-host', host: 'http://127.0.0.1:9', retry: { maxAttempts: 1 } };
  const keyless = { provider: 'hosted-api', host: 'https://example.com/v1' };
  await writeFile(join(folder, 'provider-playground.connections.json'), JSON.stringify({ closed, keyless }));
});
afterAll(() => rm(folder, { recursive: true }));

async function models(...words: string[]) {
  const terminal = fakeTerminal({ folder });
  return { code: await runCommandLine(['models', ...words], terminal), ...terminal.written };
}

describe('runModels', () => {
  it('lists the models of the named connection', async () => {
    const { code, output } = await models('demo');
    expect(code).toBe(EXIT.done);
    expect(output.split('\n')).toContain('demo\tnative-call:latest');
  });

  it('says what is wrong with a connection that does not answer, and lists the others', async () => {
    const { code, output, talk } = await models('demo', 'closed', '--json');
    expect(code).toBe(EXIT.unmet);
    expect(talk).toBe('');
    expect(JSON.parse(output)).toEqual([
      expect.objectContaining({ connection: 'demo', models: expect.arrayContaining(['native-call:latest']) }),
      expect.objectContaining({ connection: 'closed', error: expect.objectContaining({ code: 'network' }) }),
    ]);
    expect(await models('closed')).toMatchObject({ output: '', talk: expect.stringMatching(/^closed: /) });
  });

  it('sends nothing where a key is missing, and says how one is given', async () => {
    const { code, talk } = await models('keyless');
    expect(code).toBe(EXIT.unmet);
    expect(talk).toMatch(/needs a key for .*Nothing was sent\..*PROVIDER_PLAYGROUND_KEYS=/);
  });

  it('refuses an unknown connection and names those that there are', async () => {
    const { code, talk } = await models('dmeo');
    expect(code).toBe(EXIT.unusable);
    expect(talk).toMatch(/There is no connection dmeo\.[^]*There are demo/);
  });
});
