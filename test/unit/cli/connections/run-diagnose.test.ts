// The command `diagnose`, in this process: what it says of each kind of connection, and its exit codes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DiagnosisLine } from '../../../../src/connections';
import { EXIT } from '../../../../src/cli/command';
import { runCommandLine } from '../../../../src/cli/run-command-line';
import { CommandFolder } from '../../../support/cli/command-folder';
import { fakeTerminal } from '../../../support/cli/fake-terminal';
import type { TestServer } from '../../../support/servers/http-server';
import { sendJson, startServer } from '../../../support/servers/http-server';

const CANARY = 'sk-canary-4711-abcdefghijklmnop';
/** What a person has in the editor only. */
const OF_THE_EDITOR = /Set API [Kk]ey|Set Secret|VS Code|window|panel|http\.\w|(?<![A-Z])_[A-Z]/;
const keys: (string | undefined)[] = [];
let server: TestServer;
let folder: CommandFolder;

beforeAll(async () => {
  // Repeats the key, and moves the cursor.
  server = await startServer(({ headers: { authorization } }, response) => {
    keys.push(authorization);
    const content = `\u{1b}[2J${authorization ?? 'nothing'}`;
    sendJson(response, 200, { data: [{ id: 'm' }], choices: [{ message: { role: 'assistant', content } }] });
  });
  folder = await CommandFolder.open();
  const own = { provider: 'hosted-api', host: `${server.url}/v1`, model: 'm' };
  await folder.write(
    'provider-playground.connections.json',
    JSON.stringify({
      own,
      keyless: { ...own, host: 'http://127.0.0.1:9/v1' },
      closed: { provider: 'local-host', host: 'http://127.0.0.1:9', model: 'm' },
      secret: { ...own, host: 'http://me:pass@127.0.0.1/v1' },
    }),
  );
  folder.environment = { PROVIDER_PLAYGROUND_KEYS: JSON.stringify({ [server.url]: CANARY }) };
});
afterAll(() => Promise.all([server[Symbol.asyncDispose](), folder.close()]));

const diagnose = (...words: string[]) => folder.run('diagnose', ...words);

describe('runDiagnose', () => {
  it('says of the demo, step by step, that nothing failed', async () => {
    const { code, output, talk } = await diagnose('demo', '--model', 'native-call');
    expect([code, talk]).toEqual([EXIT.done, '']);
    expect(output).toMatch(/^Diagnosis of Demo[^]*\nConnection\n {2}✓ Settings: [^]*\nServer\n {2}✓ HTTP: /);
    expect(output).toMatch(/✓ Tool call: Native: `get_weather\(\{"city":"Paris"\}\)`\./);
    expect(output).toMatch(/\n0 failed, \d+ warnings?, \d+ ok\. First: .+\n$/);
  });

  it.each(['closed', 'keyless', 'secret'])(
    'says what failed with %s and what to do in a terminal, and has exit code 1',
    async (id) => {
      const { code, output } = await diagnose(id);
      expect(code).toBe(EXIT.unmet);
      expect(output).toMatch(/✗ [^\n]+\n {6}→ .+/);
      expect(output).not.toMatch(OF_THE_EDITOR);
      expect(output).not.toContain('pass@');
    },
  );

  it('gives every finding as JSON, without the key and without control characters', async () => {
    const { code, output } = await diagnose('own', '--json');
    const { connection, lines } = JSON.parse(output) as { connection: string; lines: DiagnosisLine[] };
    expect(connection).toBe('own');
    expect(lines.find(({ name }) => name === 'Key')?.text).toBe(`There is one for \`${server.url}\`.`);
    expect(lines.find(({ name }) => name === 'Chat')?.text).toContain('\\u{1b}[2JBearer ');
    expect(keys).toContain(`Bearer ${CANARY}`);
    expect(output).not.toContain(CANARY);
    expect([EXIT.done, EXIT.unmet]).toContain(code);
  });

  it('refuses an unknown connection, none, and several', async () => {
    expect(await diagnose('dmeo')).toMatchObject({
      code: EXIT.unusable,
      talk: expect.stringMatching(/There is no connection dmeo\.[^]*There are demo/),
    });
    for (const words of [[], ['demo', 'own']])
      expect(await diagnose(...words)).toMatchObject({
        code: EXIT.unusable,
        talk: expect.stringContaining('One connection is diagnosed at a time'),
      });
  });

  it('stops at Ctrl+C with what was found, and shows what is under way only to a person', async () => {
    const terminal = fakeTerminal({ folder: folder.path });
    terminal.talk.isInteractive = true;
    const run = runCommandLine(['diagnose', 'demo'], terminal);
    await expect.poll(() => terminal.written.talk, { timeout: 20_000 }).toContain('Chat: waiting');
    terminal.interrupt();
    expect(await run).toBe(EXIT.interrupted);
    expect(terminal.written.output).toMatch(/✓ HTTP: [^]*stopped before it ended\.\n$/);
    expect(terminal.isListening()).toBe(false);
  });
});
