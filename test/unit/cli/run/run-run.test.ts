// The command `run`, in this process: what it sends, what it writes where, and its exit codes.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../../../src/cli/command';
import { runCommandLine } from '../../../../src/cli/run-command-line';
import { CommandFolder, playground } from '../../../support/cli/command-folder';
import { fakeTerminal } from '../../../support/cli/fake-terminal';
import { ChatServer } from '../../../support/servers/chat-server';

const CANARY = 'sk-canary-4711-abcdefghijklmnop';
const HOSTILE = 'a\u{1b}[2Jb\u{9b}31mc\u{202e}d\r\n\te $(x) 👩\u{200d}👧';
const TOOL = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const MOCKS = [{ when: { city: 'Oslo' }, result: { temperature: 4 } }, { error: 'no\u{1b}[2J station' }];
const server = new ChatServer();
let folder: CommandFolder;

beforeAll(async () => {
  await server.start();
  folder = await CommandFolder.open();
  const own = { provider: 'hosted-api', host: `${server.host}/v1`, model: 'm', retry: { maxAttempts: 1 } };
  await folder.write(
    'provider-playground.connections.json',
    JSON.stringify({
      own,
      odd: { ...own, provider: 'hosted' },
      keyed: { ...own, apiKey: CANARY },
      modelless: { provider: 'local-host', host: server.host },
      keyless: { ...own, host: 'http://127.0.0.1:9/v1' },
      closed: { ...own, host: 'http://127.0.0.1:9/v1', auth: 'none' },
    }),
  );
  await folder.write('tools.json', JSON.stringify([TOOL]));
  await folder.write('mocked.json', JSON.stringify([{ ...TOOL, mocks: MOCKS }]));
  folder.environment = { PROVIDER_PLAYGROUND_KEYS: JSON.stringify({ [server.host]: CANARY }) };
});
afterAll(() => Promise.all([server.stop(), folder.close()]));
beforeEach(() => {
  server.requests.length = 0;
  server.reply = () => ({ role: 'assistant', content: 'All is well.' });
});

const run = (...words: string[]) => folder.run('run', ...words);
const own = (...words: string[]) => run('--connection', 'own', ...words);

describe('runRun', () => {
  it('writes the reply to standard output, and says the rest beside it', async () => {
    const { code, output, talk } = await own('Hello');
    expect([code, output]).toEqual([EXIT.done, 'All is well.\n']);
    expect(talk).toMatch(/^m, no tools were offered, .+\n$/);
  });

  it('says each retry beside the reply', async () => {
    const { code, talk } = await run('Hello');
    expect(code).toBe(EXIT.done);
    expect(talk.match(/attempt \d of 3 failed with 429; next attempt in/g)).toHaveLength(2);
  });

  it('sends what the options say', async () => {
    const options = '--temperature 0 --top-p 0.5 --max-tokens 9 --seed 7 --stop a --stop b --system S'.split(
      ' ',
    );
    await own('Hello', ...options, '--raw', '{"user":"u"}', '--model', 'other', '--tools', 'tools.json');
    expect(server.requests[0]?.body).toMatchObject({
      model: 'other',
      temperature: 0,
      top_p: 0.5,
      max_tokens: 9,
      seed: 7,
      stop: ['a', 'b'],
      user: 'u',
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'Hello' },
      ],
      tools: [{ function: { name: 'get_weather' } }],
    });
  });

  it('lets nothing that a model wrote move the cursor, and changes nothing else of it', async () => {
    server.reply = ({ authorization }) => ({
      role: 'assistant',
      content: `${HOSTILE}${authorization ?? ''}`,
      tool_calls: [
        { id: 'c', type: 'function', function: { name: 'x\u{1b}c', arguments: '{"a":"\u{9b}1m"}' } },
      ],
    });
    const said = await own('Hello', '--tools', 'tools.json');
    expect(said.output).toContain(
      `a\\u{1b}[2Jb\\u{9b}31mc\\u{202e}d\n\te $(x) 👩\u{200d}👧Bearer ${'*'.repeat(CANARY.length)}\n`,
    );
    expect(said.output).toContain('→ x\\u{1b}c ');
    const json = await own('Hello', '--tools', 'tools.json', '--json');
    for (const { output, talk } of [said, json])
      // eslint-disable-next-line no-control-regex
      expect(output + talk).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202E]|canary/);
    expect(JSON.parse(json.output)).toMatchObject({ content: expect.stringContaining(HOSTILE) });
  });

  it.each(['native-call', 'hermes-text'])('lets the mocks of tools answer the calls of %s', async (model) => {
    const words = ['--tools', 'mocked.json', '--model', model];
    const { code, output, talk } = await run('What is the weather in Oslo?', ...words);
    expect(code).toBe(EXIT.done);
    expect(output).toContain('→ get_weather {"city":"Oslo"}');
    expect(output).toMatch(/\nThe tool get_weather answered: \{"temperature":4\}\n$/);
    expect(talk).toContain('← get_weather {"temperature":4}\n');
    const failed = await run('What is the weather in Rome?', ...words);
    expect(failed.talk).toContain('← get_weather no\\u{1b}[2J station\n');
  });

  it('gives the turn as JSON, of an agent run every step', async () => {
    const chat = JSON.parse(
      (await run('Weather in Oslo?', '--tools', 'tools.json', '--model', 'hermes-text', '--json')).output,
    ) as object;
    expect(chat).toMatchObject({
      connection: 'demo',
      content: 'Let me look that up.',
      toolCalls: [{ name: 'get_weather', arguments: { city: 'Oslo' }, source: 'rescued' }],
      usage: { promptTokens: expect.any(Number) },
      attempts: 1,
      findings: [{ cause: 'call-as-text' }],
    });
    expect(chat).not.toHaveProperty('steps');
    const words = ['--tools', 'mocked.json', '--model', 'native-call', '--json'];
    expect(JSON.parse((await run('Weather in Oslo?', ...words)).output)).toMatchObject({
      content: 'The tool get_weather answered: {"temperature":4}',
      ending: { stopReason: 'answer', steps: 2 },
      steps: [{ results: [{ call: 0, content: '{"temperature":4}' }] }, { toolCalls: [] }],
    });
  });

  it('reads no calls from text without rescue', async () => {
    const words = ['--tools', 'tools.json', '--model', 'hermes-text', '--no-rescue'];
    expect((await run('Weather in Oslo?', ...words)).output).not.toContain('→');
  });

  it('sends what a playground says: its lane, its row, and another question', async () => {
    await folder.write(
      'own.playground.json',
      playground({
        system: 'Be brief about {{city}}.',
        lanes: [
          { id: 'a', connection: 'own', model: 'one', sampling: { temperature: 0.5 } },
          { id: 'b', connection: 'gone' },
        ],
      }),
    );
    const from = ['--playground', 'own.playground.json', '--lane', 'a', '--row', 'rome'];
    expect((await run(...from)).code).toBe(EXIT.done);
    expect((await run('And {{city}}?', ...from, '--temperature', '0')).code).toBe(EXIT.done);
    expect(server.requests.map(({ body }) => body)).toMatchObject([
      { model: 'one', temperature: 0.5, messages: [{ content: 'Be brief about Rome.' }, {}] },
      { model: 'one', temperature: 0, messages: [{ content: 'Be brief about Rome.' }, {}] },
    ]);
    expect(server.requests.map(({ content }) => content)).toEqual([
      'What is the weather in Rome?',
      'And Rome?',
    ]);
  });

  it('reads the message from standard input', async () => {
    const terminal = fakeTerminal({
      folder: folder.path,
      environment: folder.environment,
      input: 'From a pipe',
    });
    expect(await runCommandLine(['run', '--connection', 'own'], terminal)).toBe(EXIT.done);
    expect(server.requests[0]?.content).toBe('From a pipe');
  });

  it.each([
    [[], /There is no message to send/],
    [['a', 'b'], /There are several messages/],
    [['a', '--connection', 'nope'], /There is no connection nope\..*\n.*There are demo/],
    [['a', '--connection', 'keyless'], /needs a key for .*\n.*\n.*PROVIDER_PLAYGROUND_KEYS=/],
    [['a', '--connection', 'modelless'], /modelless names no model\.\n.*--model/],
    [['a', '--temperature', 'hot'], /--temperature is hot\./],
    [['a', '--connection', 'odd'], /odd\.provider: one of local-host, .* is expected/],
    [['a', '--connection', 'keyed'], /keyed\.apiKey: a secret must not be in the settings/],
    [['a', '--temperature', '-1'], /--temperature is -1\.\n.*from 0 on/],
    [['a', '--top-p', '7'], /--top-p is 7\.\n.*from 0 to 1/],
    [['a', '--max-tokens', '0'], /--max-tokens is 0\.\n.*a whole number from 1 on/],
    [['a', '--max-steps', '0'], /--max-steps is 0\.\n.*a whole number from 1 to \d+/],
    [['a', '--seed', '1.5'], /--seed is 1\.5\./],
    [['a', '--tool-choice', 'get_x'], /call get_x, which is not offered\.\n.*\n.*Offer it with --tools/],
    [
      ['a', '--tool-choice', 'get_x', '--tools', 'tools.json'],
      /not offered\.\n.*\n.*There are get_weather\./,
    ],
    [['a', '--raw', '[]'], /--raw is no JSON object/],
    [['a', '--lane', 'a'], /belong to a playground/],
    [['a', '--tools', 'none.json'], /There is no file none\.json\./],
    [['--playground', 'none.json'], /There is no file none\.json\./],
    [['--playground', 'weather.playground.json'], /several: one --lane is needed\.\n.*\n.*There are a, b\./],
    [['--playground', 'weather.playground.json', '--lane', 'c'], /has no lane c\./],
    [['--playground', 'weather.playground.json', '--lane', 'a'], /several: one --row is needed\./],
    [['x', '--playground', 'weather.playground.json', '--tools', 'tools.json'], /has its own tools/],
    [['x', '--playground', 'asking.playground.json'], /A mock of get_weather asks a person/],
    [
      ['x', '--playground', 'broken.playground.json'],
      /broken\.playground\.json: Line 1 of the playground cannot be read/,
    ],
  ])('sends nothing for %j, and says why', async (words, said) => {
    const lanes = [{ id: 'a', connection: 'own' }];
    const tools = [{ ...TOOL, mocks: [{ ask: true }] }];
    await folder.write('asking.playground.json', playground({ lanes, tools, evaluate: {}, expect: [] }));
    await folder.write('broken.playground.json', '{ "lanes": 5 }');
    const { code, output, talk } = await run(...words);
    expect(talk).toMatch(said);
    expect([code, output, server.requests]).toEqual([EXIT.unusable, '', []]);
  });

  it('says why there is no reply, in words for a terminal', async () => {
    const { code, output, talk } = await run('Hello', '--connection', 'closed');
    expect([code, output]).toEqual([EXIT.unmet, '']);
    expect(talk).toMatch(
      /^Error: POST .* failed.*\n {2}Nothing listens at that address\.\n {2}→ Start the server, .*\nm, ECONNREFUSED after 1 attempt, [^,]*\n$/,
    );
    const missing = await run('Hello', '--model', 'not-there');
    expect(missing.talk).toMatch(/ {2}→ Choose another model, or get it: /);
    expect(missing.talk.match(/has no model named/g)).toHaveLength(1);
    expect(talk).not.toMatch(/Set API [Kk]ey|VS Code|window|panel|Press/);
    expect(JSON.parse((await run('Hello', '--connection', 'closed', '--json')).output)).toMatchObject({
      verdict: { kind: 'failed' },
      error: { code: 'network' },
      attempts: 1,
    });
  });
});
