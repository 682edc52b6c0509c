// The command `eval` on the demo, in this process: what it prints, and its exit codes.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../../../src/cli/command';
import { runCommandLine } from '../../../../src/cli/run-command-line';
import { CommandFolder, playground } from '../../../support/cli/command-folder';
import { fakeTerminal } from '../../../support/cli/fake-terminal';
import { sendJson, startServer } from '../../../support/servers/http-server';

let folder: CommandFolder;
beforeAll(async () => {
  folder = await CommandFolder.open();
  await folder.write('plain.playground.json', '{"messages": []}');
});
afterAll(() => folder.close());

const evaluate = (...words: string[]) => folder.run('eval', ...words);

describe('runEval', () => {
  it('is done when all gates are met, with every number as JSON', async () => {
    const { code, output } = await evaluate('--lane', 'a', '--repeat', '2', '--reporter', 'json', '--quiet');
    expect(code).toBe(EXIT.done);
    expect(JSON.parse(output)).toMatchObject({
      kind: 'evaluations',
      exitCode: 0,
      files: [{ path: 'weather.playground.json', planned: 14, passed: 14, lanes: [{ laneId: 'a' }] }],
    });
  });

  it('fails when a gate is not met, and says where', async () => {
    const { code, output, talk } = await evaluate('--row', 'os*');
    expect(code).toBe(EXIT.unmet);
    expect(output).toContain('oslo, b: 0 of 1 passed  weather.playground.json:1');
    expect(output).toContain('Gates are not met in weather.playground.json.');
    expect(talk).toMatch(/^weather.playground.json: 2 lanes × 1 row × 1 repeat: 2 requests; /);
    expect((await evaluate('--row', 'os*', '--min-case', '0')).code).toBe(EXIT.done);
  });

  it('decides nothing when samples have no verdict', async () => {
    const lanes = [{ id: 'a', connection: 'demo', model: 'not-there' }];
    await folder.write('busy.playground.json', playground({ lanes }));
    const { code, output } = await evaluate('busy.playground.json');
    await folder.write('busy.playground.json', '{"messages": []}');
    expect(code).toBe(EXIT.undecided);
    expect(output).toContain('Some rows have no verdict in busy.playground.json.');
    expect(output).toMatch(
      /Ended early: 404 after 1 attempt: The server has no model named `not-there`.* Choose another model, or get it: /,
    );
    expect(output).not.toContain('×');
  });

  it('says once why no sample has a verdict, and what to do', async () => {
    const lanes = [{ id: 'a', connection: 'closed', model: 'm' }];
    const setting = { provider: 'local-host', host: 'http://127.0.0.1:9', retry: { maxAttempts: 1 } };
    await folder.write('offline.playground.json', playground({ lanes }));
    await folder.write('offline.json', JSON.stringify({ closed: setting }));
    const { code, output } = await evaluate('offline.playground.json', '--connections', 'offline.json');
    await rm(join(folder.path, 'offline.playground.json'));
    expect(code).toBe(EXIT.undecided);
    expect(output.split('\n').filter((line) => line.includes('×'))).toEqual([
      '  ? 7 × a: ECONNREFUSED after 1 attempt: Nothing listens at that address. Start the server, or correct the address of the connection.',
    ]);
  });

  it('breaks no line of its table, however narrow the terminal is', async () => {
    const show = async (columns: number): Promise<string> => {
      const terminal = fakeTerminal({ folder: folder.path, columns });
      await runCommandLine(['eval', '--repeat', '2'], terminal);
      return terminal.written.output;
    };
    expect(await show(120)).toMatch(
      /\n {2}b: prose-only +0 % \(0 of 14\) +0 to 35 % +not met: 7 rows below 100 %/,
    );
    expect(await show(80)).toMatch(
      /\n {2}b: prose-only +0 % \(0 of 14\) +0 to 35 % .*\n {4}Required: not met: 7 rows below 100 %\n/,
    );
    expect(await show(50)).toMatch(
      /\n {2}b: prose-only\n {4}Passed +0 % \(0 of 14\)\n {4}95 % interval +0 to 35 %\n/,
    );
  });

  it('sends nothing when nothing is chosen, and says what there is', async () => {
    expect(await evaluate('--lane', 'z')).toMatchObject({
      code: EXIT.unusable,
      talk: expect.stringContaining('There are the lanes a, b and the rows oslo, rome, lima'),
    });
    expect(await evaluate('--lane', 'z', '--pass-with-none')).toMatchObject({ code: EXIT.done });
  });

  it.each([
    [['nowhere'], 'There is no file or folder nowhere.'],
    [['--connections', 'gone.json'], 'Error: There is no file gone.json.'],
    [['--baseline', '.'], 'Error: . cannot be read: it is a folder.'],
    [['--lane', 'z', '--resume', 'gone.jsonl'], 'Error: Nothing is chosen'],
    [['--repeat', '0'], '--repeat is 0.'],
    [['--shard', '5/4', '--blob', 'b'], '--shard is 5/4.'],
    [['--shard', '1/4'], '--shard needs a blob'],
    [['--reporter', 'xml'], 'There is no reporter xml.'],
    [['--reporter', 'json', '--reporter', 'junit'], 'Two reports cannot go to the same output.'],
    [['--provider', 'own.mjs'], 'own.mjs is not run: it is code'],
    [['--fail-on', 'regression'], '--fail-on regression needs a baseline.'],
    [
      ['--lane', 'a,zz', '--row', 'oslo,typo*', '--tag', 'last,x'],
      'There is no lane zz, no row typo*, no row with the tag x.',
    ],
    [['plain.playground.json'], 'plain.playground.json expects nothing and has no rows.'],
    [['--blob', './weather.playground.json'], '--blob would overwrite ./weather.playground.json'],
    [['--reporter', 'json=weather.playground.json'], '--reporter would overwrite weather.playground.json'],
    [['--blob', 'x', '--reporter', 'json=./x'], '--blob and --reporter both write ./x.'],
  ])('refuses %j before anything is sent', async (words, says) => {
    const { code, output, talk } = await evaluate(...words);
    expect([code, output]).toEqual([EXIT.unusable, '']);
    expect(talk).toContain(says);
    expect(talk).toMatch(/\n {2}→ .+\n$/);
  });

  it('lists the samples repeat by repeat, and says what they would cost', async () => {
    const { output } = await evaluate('--list', '--row', 'oslo', '--repeat', '2');
    expect(output.split('\n').map((line) => line.split('\t').slice(1).join(' '))).toEqual([
      'oslo a 1',
      'oslo b 1',
      'oslo a 2',
      'oslo b 2',
      '',
    ]);
    expect((await evaluate('--estimate', '--row', 'oslo', '--repeat', '3')).output).toMatch(
      /^weather.playground.json: 2 lanes × 1 row × 3 repeats: 6 requests; about \d+ tokens in, unknown tokens out; no cost; unknown time\n$/,
    );
  });

  it('says what is odd in a file, and what nothing is expected of', async () => {
    const odd = { lanes: ['a', 'z'], calls: [], extras: 'none' };
    await folder.write('odd.json', playground({ expect: [odd] }));
    const { talk, output } = await evaluate('odd.json', '--row', 'oslo', '--pass-with-none');
    expect(talk).toContain('Warning: odd.json:1: expect[0].lanes[1] names no lane of this playground.\n');
    expect(talk).toContain('expect[0].extras is not known to this version; it is kept.\n');
    expect(output).toContain('no expectation holds for 1 of 1 sample, so it passed.');
    expect((await evaluate('odd.json', '--row', 'oslo', '--quiet')).talk).toBe('');
    await folder.write('odd.json', playground({ expect: [{ max: { tokens: 3 } }] }));
    expect((await evaluate('odd.json')).talk).toContain(
      'expect[0].max limits nothing: it needs one of promptTokens,',
    );
    await folder.write('odd.json', '{"messages": []}');
  });

  it('fills numbers and words of what is expected with those of the row', async () => {
    const calls = [{ tool: 'get_weather', times: '{{n}}', source: '{{source}}' }];
    const rows = [
      { city: 'Oslo', $id: 'one', n: 1, most: 3, source: 'native' },
      { city: 'Oslo', $id: 'two', n: 2, most: 3, source: 'native' },
      { city: 'Oslo', $id: 'rescued', n: 1, most: 3, source: 'rescued' },
    ];
    const wanted = [{ calls, max: { attempts: '{{most}}' } }];
    await folder.write('filled.json', playground({ evaluate: { rows }, expect: wanted }));
    const { output } = await evaluate('filled.json', '--lane', 'a');
    expect(output).toContain('1 passed, 2 failed');
    const broken = playground({ evaluate: { rows: [{ ...rows[0], n: 'two' }] }, expect: wanted });
    await folder.write('filled.json', broken);
    const { code, talk } = await evaluate('filled.json');
    expect(code).toBe(EXIT.unusable);
    expect(talk).toContain('With this row: expect[0].calls[0].times must be');
    await folder.write('filled.json', '{"messages": []}');
  });

  it('claims no product where rows have their own number of repeats', async () => {
    const rows = [{ city: 'Oslo', $repeat: 3 }, { city: 'Rome' }];
    await folder.write('own.json', playground({ evaluate: { rows } }));
    const { output } = await evaluate('own.json', '--lane', 'a', '--estimate');
    expect(output).toMatch(/^own.json: 1 lane × 2 rows × 1 to 3 repeats: 4 requests; /);
    await folder.write('own.json', '{"messages": []}');
  });

  it('names what is sent in words where there are no rows', async () => {
    const messages = [{ role: 'user', content: 'Say hi.' }];
    await folder.write('rowless.json', playground({ messages, evaluate: {}, expect: [{ text: 'hi' }] }));
    const { output } = await evaluate('rowless.json', '--lane', 'b');
    expect(output).toContain('the playground itself, b: 0 of 1 passed');
    expect((await evaluate('rowless.json', '--row', 'x')).talk).toMatch(/rows the playground itself\./);
  });

  it('stops at a limit, and reports what there is', async () => {
    const few = ['--lane', 'a', '--repeat', '20', '--reporter', 'json'];
    const { code, output } = await evaluate(...few, '--max-requests', '8');
    expect(code).toBe(EXIT.undecided);
    expect(JSON.parse(output).reasons).toEqual(['It ended early: 8 of 8 requests were sent.']);
    const bailed = await evaluate('--repeat', '20', '--bail', '2', '--reporter', 'json');
    expect(bailed.code).toBe(EXIT.unmet);
    expect(JSON.parse(bailed.output).files[0].notRun).toBeGreaterThan(100);
  });

  it('does not decide by the part that a limit lets through, even if no sample of it passes', async () => {
    const { code, output } = await evaluate('--lane', 'b', '--max-requests', '2');
    expect(output).toContain('Gates are not met');
    expect(output).toContain('It ended early: 2 of 2 requests were sent.');
    expect(code).toBe(EXIT.undecided);
  });

  it('stops at Ctrl+C, and reports what there is', async () => {
    const terminal = fakeTerminal({ folder: folder.path });
    const running = runCommandLine(
      ['eval', '--lane', 'a', '--repeat', '100', '--reporter', 'json'],
      terminal,
    );
    while (!terminal.isListening()) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    terminal.interrupt();
    expect(await running).toBe(EXIT.interrupted);
    expect(JSON.parse(terminal.written.output)).toMatchObject({
      exitCode: 130,
      files: [{ stopped: 'stopped by you' }],
    });
    expect(terminal.written.output.match(/It ended early/g)).toHaveLength(1);
    expect(terminal.written.talk).toContain('Press Ctrl+C again to end at once.');
  });

  it('runs the provider module that it is given, once its code is allowed', async () => {
    await folder.write('acme.mjs', acmeModule("return Promise.resolve({ content: 'It rains in Oslo.' });"));
    const lanes = [{ id: 'a', connection: 'module:acme.mjs:AcmeProvider' }];
    await folder.write('acme.json', playground({ lanes, expect: [{ text: { $contains: 'rains' } }] }));
    const words = ['acme.json', '--provider', 'acme.mjs', '--allow-code', '--row', 'oslo'];
    const { code, output } = await evaluate(...words, '--reporter', 'json');
    expect(JSON.parse(output)).toMatchObject({ files: [{ planned: 1, passed: 1 }] });
    expect(code).toBe(EXIT.done);
  });
});

describe('a baseline', () => {
  it('of other files or lanes decides nothing, and one of some rows says so', async () => {
    const few = ['--lane', 'a', '--row', 'o*,r*', '--blob', 'few.jsonl', '--quiet'];
    expect((await evaluate(...few)).code).toBe(EXIT.done);
    const words = ['--lane', 'a', '--baseline', 'few.jsonl', '--fail-on', 'regression', '--quiet'];
    const some = await evaluate(...words);
    expect([some.code, some.talk]).toEqual([
      EXIT.done,
      'The baseline has 2 of 7 rows of weather.playground.json, lane a.\n',
    ]);
    await folder.write('moved.json', await folder.read('weather.playground.json'));
    const moved = await evaluate('moved.json', ...words);
    expect([moved.code, moved.output]).toEqual([
      EXIT.undecided,
      expect.stringContaining('The baseline has no sample of moved.json.'),
    ]);
    const other = await evaluate('--row', 'oslo', '--baseline', 'few.jsonl', '--quiet', '--min-case', '0');
    expect([other.code, other.talk]).toEqual([
      EXIT.done,
      'The baseline has no row of weather.playground.json, lane b.\n',
    ]);
  });
});

describe('what is said', () => {
  it('of why it is not decided reaches a log beside reports that do not say it', async () => {
    const words = ['--max-requests', '3', '--quiet', '--row', 'lima,rome', '--lane', 'a', '--repeat', '4'];
    const { code, output, talk } = await evaluate(
      ...words,
      '--reporter',
      'problems',
      '--reporter',
      'junit=j.xml',
    );
    expect([code, output]).toEqual([EXIT.undecided, '']);
    expect(talk).toContain('It ended early: 3 of 3 requests');
    const github = await evaluate(...words, '--reporter', 'github');
    expect(github.talk).toMatch(/^::error::It ended early: 3 of 3 requests/m);
  });

  it('by a server carries out nothing in a terminal or a CI', async () => {
    const message = 'no\u001b[2J\u202e\n::error file=x::pwn\n##[error]pwn';
    await using server = await startServer((_, response) => sendJson(response, 400, { error: { message } }));
    const lanes = [{ id: 'a', connection: 'own', model: 'm' }];
    await folder.write('hostile.json', playground({ lanes }));
    const own = { provider: 'hosted-api', host: server.url, auth: 'none' };
    await folder.write('hostile-connections.json', JSON.stringify({ own }));
    const words = ['hostile.json', '--connections', 'hostile-connections.json', '--blob', 'hostile.jsonl'];
    const reports = ['--reporter', 'pretty', '--reporter', 'github', '--reporter', 'markdown=m.md'];
    const first = await evaluate(...words, ...reports);
    const merged = await folder.run('merge', 'hostile.jsonl', ...reports);
    for (const text of [first.output, first.talk, merged.output, merged.talk, await folder.read('m.md')]) {
      expect(text).not.toMatch(/[^\P{Cc}\n\t]|\u202e|##\[|^\s*::error file=x/mu);
    }
    expect(first.output).toContain('pwn');
  });
});

describe('a provider module that needs a key', () => {
  const HOST = 'https://acme.example/v1';
  const LANES = [{ id: 'a', connection: 'module:keyed.mjs:AcmeProvider' }];
  const EXPECT = [{ text: { $contains: 'that ends with 123' } }];
  /** @returns what is said when its class names this host */
  async function evaluateKeyed(host: string | undefined, origin: string): Promise<string> {
    const about = `static playground = ${JSON.stringify({ needsKey: true, host })};
      constructor(credentials) { super(); this.configure(credentials); this.key = credentials.apiKey; }`;
    const text = acmeModule(
      "return Promise.resolve({ content: 'A key that ends with ' + this.key.slice(-3) });",
      about,
    );
    await folder.write('keyed.mjs', text);
    await folder.write('keyed.json', playground({ lanes: LANES, expect: EXPECT }));
    folder.environment = { PROVIDER_PLAYGROUND_KEYS: JSON.stringify({ [origin]: 'key-of-acme-123' }) };
    const { output, talk } = await evaluate(
      'keyed.json',
      '--provider',
      'keyed.mjs',
      '--allow-code',
      '--quiet',
    );
    folder.environment = {};
    return output + talk;
  }

  it('gets the key of its own origin, and of no other', async () => {
    expect(await evaluateKeyed(HOST, HOST)).toContain('7 samples: 7 passed');
    expect(await evaluateKeyed(HOST, 'https://other.example')).toContain('they are not sent elsewhere');
  });

  it('is asked for its host when it names none', async () => {
    expect(await evaluateKeyed(undefined, HOST)).toContain('Name its address as `host`');
  });

  it.each([
    ['gone.mjs', undefined, /gone\.mjs: .*no such file/s],
    ['odd.mjs', 'export default 5', /odd\.mjs: Its default export is a number/],
    ['broken.mjs', 'export default (', /broken\.mjs: /],
  ])('is named with what is wrong when %s cannot be loaded', async (name, text, says) => {
    if (text !== undefined) await folder.write(name, text);
    const { code, talk } = await evaluate('--provider', name, '--allow-code');
    expect([code, talk]).toEqual([EXIT.unusable, expect.stringMatching(says)]);
    expect(talk).toContain('Nothing was sent.');
  });
});

const acmeModule = (body: string, members = ''): string => `export default ({ Providers }) =>
  class AcmeProvider extends Providers {
    ${members}
    chatInternal() {
      ${body}
    }
  };`;
