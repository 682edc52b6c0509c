import { describe, expect, test } from 'vitest';
import { recordedConversations, replaySession, UnreadRequest } from '../../../../src/session';
import type { RecordedExchange } from '../../../../src/types';
import { computedMsSince } from '../../../support/computed-ms';
import type { Made } from './recorded-turns';
import { call, calling, exchange, result, SYSTEM, TOOL, USER } from './recorded-turns';

interface Row {
  $name: string;
  $messages: string;
  $skip?: string;
  $expect?: { calls: Record<string, unknown>[] }[];
}
interface Text {
  system?: string;
  messages: { role: string; content: string }[];
  tools: object[];
  lanes: object[];
  evaluate: { rows: Row[] };
}

const LANE = { connection: 'other', model: 'n', protocol: 'hosted-api' };
const textOf = async (exchanges: readonly RecordedExchange[], lanes = [LANE]): Promise<Text> =>
  JSON.parse((await replaySession(exchanges)).toText(lanes)) as Text;
const rowsOf = async (exchanges: readonly RecordedExchange[]): Promise<Row[]> =>
  (await textOf(exchanges)).evaluate.rows;
const callsOf = async (...replies: readonly object[]): Promise<unknown[]> =>
  (await rowsOf(replies.map((reply) => exchange([USER], reply)))).map(({ $expect }) => $expect?.[0]?.calls);

describe('replaySession', () => {
  test('has a row for each turn, with the messages that were sent and the calls that came', async () => {
    const first = calling(call('a'), call('b'));
    const { system, messages, tools, evaluate } = await textOf([
      exchange([SYSTEM, USER], first),
      exchange([SYSTEM, USER, first, result('a'), result('b')], { role: 'assistant', content: 'Done.' }),
    ]);
    expect(system).toBe('Be brief.');
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
    expect(tools).toMatchObject([{ name: 'read_file', description: String.raw`Reads \{{ a file` }]);
    expect(evaluate.rows).toEqual([
      {
        $id: 'turn-1',
        $name: 'Turn 1',
        $messages: '1',
        $expect: [
          {
            calls: [
              { tool: 'read_file', arguments: { path: 'a' }, exact: true },
              { tool: 'read_file', arguments: { path: 'b' }, exact: true },
            ],
          },
        ],
      },
      { $id: 'turn-2', $name: 'Turn 2', $messages: '1-4', $expect: [{ calls: [] }] },
    ]);
  });

  test('expects calls that were written as text, or that a repair gave to the program', async () => {
    const text = '<tool_call>{"name":"read_file","arguments":{"path":"x"}}</tool_call>';
    const expected = [{ tool: 'read_file', arguments: { path: 'x' }, exact: true }];
    expect(await callsOf({ role: 'assistant', content: text })).toEqual([expected]);
    const repaired = JSON.stringify({ choices: [{ message: calling(call('1', { path: 'x' })) }] });
    const one = exchange(
      [USER],
      { role: 'assistant', content: 'damaged' },
      { change: { repaired: { calls: [], body: repaired } } },
    );
    expect((await rowsOf([one]))[0]?.$expect?.[0]?.calls).toEqual(expected);
  });

  test.each([
    [
      'braces and keys of matchers',
      { path: '{{x}}', $min: 1 },
      { arguments: { path: String.raw`\{{x}}`, $min: 1 }, exact: true },
    ],
    ['only keys of matchers', { $min: 1 }, { arguments: { $equals: { $min: 1 } }, valid: false }],
    [
      'objects, which must be equal',
      { path: 'a', o: { p: [1] } },
      { arguments: { path: 'a', o: { $equals: { p: [1] } } }, exact: true },
    ],
    ['what breaks the schema', { path: 5 }, { arguments: { path: 5 }, exact: true, valid: false }],
    ['what is no JSON', '{"path":', {}],
  ])('expects arguments with %s', async (_name, args, pattern) => {
    expect(await callsOf(calling(call('1', args)))).toEqual([[{ tool: 'read_file', ...pattern }]]);
  });

  test('counts a turn once that was asked several times: what the program went on with is expected', async () => {
    const [used, unused] = [calling(call('used')), calling(call('unused'))];
    const rows = await rowsOf([
      exchange([USER], undefined, { change: { problem: 'reset' } }),
      exchange([USER], { role: 'assistant' }, { status: 500 }),
      exchange([USER], used),
      exchange([USER], unused),
      exchange([USER, used, result('used')], { role: 'assistant', content: 'Done.' }),
    ]);
    expect(rows).toHaveLength(2);
    expect(rows[0]?.$expect?.[0]?.calls).toMatchObject([{ arguments: { path: 'used' } }]);
  });

  test('does not ask a turn again that never got a reply, and says why', async () => {
    const used = calling(call('a'));
    const replay = await replaySession([
      exchange([USER], used),
      exchange([USER, used, result('a')], { role: 'assistant' }, { status: 503 }),
    ]);
    expect(replay).toMatchObject({ turns: 1, leftOut: ['turns that have no reply: 1'] });
    expect((JSON.parse(replay.toText([LANE])) as Text).evaluate.rows[1]).toMatchObject({
      $skip: 'No reply to compare with: the server answered with status 503',
    });
    await expect(replaySession([exchange([USER], undefined)])).rejects.toThrow('the server did not answer');
  });

  test('keeps a history that the program compacted, without storing the rest of it twice', async () => {
    const old = Array.from({ length: 6 }, (_, index) => ({ role: 'user', content: `old ${index}` }));
    const summary = { role: 'user', content: 'Summary of what was said.' };
    const { messages, evaluate } = await textOf([
      exchange(old, calling(call('a'))),
      exchange([summary, ...old.slice(4), calling(call('a')), result('a')], {
        role: 'assistant',
        content: 'ok',
      }),
    ]);
    expect(messages).toHaveLength(9);
    expect(evaluate.rows.map(({ $messages }) => $messages)).toEqual(['1-6', '7, 5-6, 8-9']);
  });

  test('keeps system prompts as messages where they change', async () => {
    const other = { role: 'system', content: 'Be brief. It is noon.' };
    const { system, messages, evaluate } = await textOf([
      exchange([SYSTEM, USER], calling(call('a'))),
      exchange([other, USER, calling(call('a')), result('a')], { role: 'assistant', content: 'ok' }),
    ]);
    expect(system).toBeUndefined();
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'system', 'assistant', 'tool']);
    expect(evaluate.rows.map(({ $messages }) => $messages)).toEqual(['1-2', '3, 2, 4-5']);
  });

  test('goes on from the reply that a request names in place of the history', async () => {
    const tools = [{ type: 'function', ...TOOL.function, strict: false }];
    const responses = (id: string, input: unknown, previous: string | undefined, output: object[]) =>
      exchange([], undefined, {
        change: {
          protocol: 'responses-api',
          request: {
            method: 'POST',
            url: 'http://127.0.0.1:8080/v1/responses',
            headers: {},
            body: JSON.stringify({
              model: 'm',
              instructions: 'Be brief.',
              input,
              tools,
              previous_response_id: previous,
            }),
          },
          response: {
            status: 200,
            headers: {},
            isComplete: true,
            body: JSON.stringify({ id, object: 'response', status: 'completed', output }),
          },
        },
      });
    const asked = {
      type: 'function_call',
      id: 'f',
      call_id: 'a',
      name: 'read_file',
      arguments: '{"path":"a"}',
    };
    const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] };
    const first = responses('resp_1', 'Mend the bug.', undefined, [asked]);
    const output = [{ type: 'function_call_output', call_id: 'a', output: 'file' }];
    const second = responses('resp_2', output, 'resp_1', [said]);
    const { system, messages, lanes, evaluate } = await textOf([first, second]);
    expect(system).toBe('Be brief.');
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(evaluate.rows.map(({ $messages }) => $messages)).toEqual(['1', '1-3']);
    expect(JSON.stringify(lanes)).not.toContain('previous_response_id');
    await expect(replaySession([second])).rejects.toThrow('continue a reply that was not recorded: 1');
  });

  test('gives lanes what all requests set; raw fields only those of the same protocol', async () => {
    const body = { temperature: 0, seed: 7, metadata: { n: 1 }, user: 'me' };
    const exchanges = [
      exchange([USER], calling(call('a')), { body }),
      exchange(
        [USER, calling(call('a')), result('a')],
        { role: 'assistant', content: 'ok' },
        { body: { ...body, seed: 8, user: 'you' } },
      ),
    ];
    expect((await textOf(exchanges, [LANE, { ...LANE, protocol: 'local-host' }])).lanes).toEqual([
      { id: 'a', connection: 'other', model: 'n', sampling: { temperature: 0 }, raw: { metadata: { n: 1 } } },
      { id: 'b', connection: 'other', model: 'n', sampling: { temperature: 0 } },
    ]);
    expect((await replaySession(exchanges)).leftOut).toEqual(['settings that changed: seed, user']);
  });

  test('leaves out what is no turn of the agent, and says how much', async () => {
    const image = {
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }],
    };
    const replay = await replaySession([
      exchange([USER], { role: 'assistant', content: 'A title' }, { body: { tools: undefined } }),
      exchange([USER], calling(call('a'))),
      exchange([image], calling(call('b'))),
      exchange([USER], calling(call('c')), {
        change: { request: { ...exchange([USER], {}).request, omittedBytes: 9 } },
      }),
    ]);
    expect(replay.turns).toBe(1);
    expect(replay.leftOut).toEqual([
      'requests that offer no tools, such as for a title: 1',
      'requests that were not recorded as a whole, or are no chats: 1',
      'requests with messages or tools that a playground cannot hold, such as images: 1',
    ]);
    await expect(replaySession([])).rejects.toThrow(UnreadRequest);
  });

  test('counts a place once that is in the history of many requests, and names each kind once', async () => {
    const cached = (text: string) => ({
      role: 'user',
      content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }],
    });
    const history: object[] = [];
    const exchanges: RecordedExchange[] = [];
    for (let turn = 1; turn <= 5; turn++) {
      history.push(cached(`question ${turn}`));
      const reply = calling(call(`call_${turn}`));
      exchanges.push(exchange([...history], reply, { number: turn }));
      history.push(reply, result(`call_${turn}`));
    }
    expect((await replaySession(exchanges)).leftOut).toEqual([
      'messages[0].content[0].cache_control and 4 more such places, for which a playground has no place',
    ]);
  });

  test('offers the functions alone where a tool is none, and leaves out what calls that', async () => {
    const patch = { type: 'custom', custom: { name: 'apply_patch' } };
    const patching = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'p', type: 'custom', custom: { name: 'apply_patch', input: '*** Begin Patch' } }],
    };
    const made: Made = { body: { tools: [TOOL, patch, { type: 'web_search' }] } };
    const first = calling(call('a'));
    const history = [USER, first, result('a')];
    const exchanges = [
      exchange([USER], first, made),
      exchange(history, patching, { ...made, number: 2 }),
      exchange([...history, patching, result('p')], calling(call('b')), { ...made, number: 3 }),
    ];
    const { leftOut, turns } = await replaySession(exchanges);
    expect(turns).toBe(1);
    expect(leftOut).toEqual([
      'turns that have no reply: 1',
      'requests with messages or tools that a playground cannot hold, such as images: 1',
      'tools that are no functions: apply_patch, web_search',
    ]);
    const { tools, evaluate } = await textOf(exchanges);
    expect(tools).toMatchObject([{ name: 'read_file' }]);
    expect(evaluate.rows).toMatchObject([
      { $expect: [{ calls: [{ tool: 'read_file' }] }] },
      { $skip: 'No reply to compare with: its reply calls apply_patch, which is no function' },
    ]);
  });

  test('masks what looks like a key, in messages and in expected calls', async () => {
    const key = `sk-proj-${'a1B2'.repeat(10)}`;
    const text = JSON.stringify(
      await textOf([exchange([{ role: 'user', content: key }], calling(call('a', { path: key })))]),
    );
    expect(text).not.toContain(key);
  });

  test('stores the messages of 200 turns once, in a time that lets a person wait', async () => {
    const history: object[] = [SYSTEM, USER];
    const exchanges: RecordedExchange[] = [];
    for (let turn = 1; turn <= 200; turn++) {
      const reply = calling(call(`call_${turn}`));
      exchanges.push(exchange([...history], reply, { number: turn }));
      history.push(reply, result(`call_${turn}`, `${turn} ${'x'.repeat(2_000)}`));
    }
    const since = process.cpuUsage();
    const replay = await replaySession(recordedConversations(exchanges)[0]?.exchanges ?? []);
    const text = replay.toText([LANE]);
    expect(computedMsSince(since)).toBeLessThan(20_000);
    expect(replay.turns).toBe(200);
    expect(text.length).toBeLessThan(700_000);
    const { messages, evaluate } = JSON.parse(text) as Text;
    expect(messages).toHaveLength(399);
    expect(evaluate.rows.at(-1)?.$messages).toBe('1-399');
  });

  test('is named after the task, not after what a program says before it', async () => {
    const place = { role: 'user', content: '<environment_context>/projects</environment_context>' };
    const first = calling(call('a'));
    const exchanges = [
      exchange([SYSTEM, place, USER], first),
      exchange([SYSTEM, place, USER, first, result('a'), { role: 'user', content: 'Go on.' }], first, {
        number: 2,
      }),
    ];
    expect(recordedConversations(exchanges)).toMatchObject([{ opening: USER.content }]);
    expect(await textOf(exchanges)).toMatchObject({ name: `Replay: ${USER.content}` });
  });

  test('keeps equal messages of one conversation apart, so that it can be read in its order', async () => {
    const again = { role: 'user', content: 'Go on.' };
    const said = { role: 'assistant', content: 'ok' };
    const { messages } = await textOf([exchange([USER, said, again, said, again], calling(call('a')))]);
    expect(messages).toHaveLength(5);
  });
});
