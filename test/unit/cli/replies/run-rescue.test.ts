// The command `rescue`, in this process: what it prints, and its exit codes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../../../src/cli/command';
import { runCommandLine } from '../../../../src/cli/run-command-line';
import { fakeTerminal } from '../../../support/cli/fake-terminal';

const REPLY = 'Let me look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo",}}';
const WEATHER = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-rescue-'));
  await writeFile(join(folder, 'tools.json'), JSON.stringify([{ type: 'function', function: WEATHER }]));
  await writeFile(
    join(folder, 'broken.json'),
    JSON.stringify([{ type: 'function', function: { parameters: {} } }]),
  );
});
afterAll(() => rm(folder, { recursive: true }));

async function rescue(input: string, ...words: string[]) {
  const terminal = fakeTerminal({ folder, input });
  return { code: await runCommandLine(['rescue', ...words], terminal), ...terminal.written };
}

describe('runRescue', () => {
  it('says which calls were read, where, and what was repaired', async () => {
    const { code, output } = await rescue(REPLY, '--tools', 'tools.json');
    expect(code).toBe(EXIT.done);
    expect(output).toBe(
      [
        '1 call was read:',
        '  ✓ get_weather {"city":"Oslo"}',
        '      hermes-json; line 2; repaired: trailing-comma, missing-close-tag',
        'Text',
        '  Let me look.',
        '',
      ].join('\n'),
    );
  });

  it('guesses the tools when none are given, and says so', async () => {
    const { code, output } = await rescue(REPLY);
    expect(code).toBe(EXIT.done);
    expect(output).toMatch(/^Read as if these tools were offered: get_weather\n/);
  });

  it('says why something is no call, and what would make it one', async () => {
    const { code, output } = await rescue(
      REPLY.replace('get_weather', 'get_whether'),
      '--tools',
      'tools.json',
    );
    expect(code).toBe(EXIT.unmet);
    expect(output).toMatch(
      /^No call was read\.\n1 thing looks like a call and was left as text:\n {2}✗ .*get_whether/,
    );
    expect(output).toMatch(/hermes-json; line 2; unknown-tool\n {6}→ /);
  });

  it('gives the whole report as JSON, with the calls in another format', async () => {
    const { output } = await rescue(REPLY, '--tools', 'tools.json', '--json', '--write-as', 'json-fence');
    expect(JSON.parse(output)).toMatchObject({
      calls: [{ name: 'get_weather', arguments: { city: 'Oslo' }, format: 'hermes-json' }],
      content: 'Let me look.',
      written: expect.stringContaining('```json'),
    });
  });

  it('writes out what would move the cursor', async () => {
    const { output } = await rescue(`\u001B[2J${REPLY}`, '--tools', 'tools.json');
    expect(output).toContain('\\u{1b}[2J');
  });

  it('reads the file that is named, and standard input otherwise', async () => {
    await writeFile(join(folder, 'reply.txt'), REPLY);
    const words = ['--tools', 'tools.json'];
    expect(await rescue('', 'reply.txt', ...words)).toEqual(await rescue(REPLY, ...words));
    expect(await rescue(REPLY, '-', ...words)).toEqual(await rescue(REPLY, ...words));
  });

  it.each([
    [['nowhere.txt'], 'There is no file nowhere.txt.'],
    [['tools.json', 'broken.json'], 'One reply is read at a time.'],
    [['--format', 'hermes-jsn'], 'Did you mean hermes-json?'],
    [['--tools', 'nothing.json'], 'There is no file nothing.json.'],
    [['--tools', 'broken.json'], 'has no name'],
  ])('refuses %j and says what to do', async (words, expected) => {
    const { code, talk } = await rescue(REPLY, ...words);
    expect(code).toBe(EXIT.unusable);
    expect(talk).toContain(expected);
  });

  it('refuses an empty input', async () => {
    expect(await rescue(' \n')).toMatchObject({
      code: EXIT.unusable,
      talk: expect.stringContaining('standard input is empty'),
    });
  });
});
