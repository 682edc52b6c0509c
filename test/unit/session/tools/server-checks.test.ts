import { describe, expect, test } from 'vitest';
import type { ToolCheck } from '../../../../src/protocol';
import { MemoryBacking, openSession } from '../../../support/session/scripted-session';

const TIME = { type: 'string', pattern: '\\d{2}:\\d{2}' };
const BOOK = { name: 'book', parameters: { type: 'object', properties: { time: TIME } } };
const PLAIN = { name: 'plain', parameters: { type: 'object', properties: { city: { type: 'string' } } } };

function open(servers: Record<string, string>, tools: unknown[] = [PLAIN, BOOK]) {
  const lanes = Object.keys(servers).map((connection, index) => ({ id: 'abc'[index], connection }));
  const text = `// mine\n${JSON.stringify({ lanes, tools }, null, 2)}`;
  const backing = new MemoryBacking(text);
  backing.kind = 'scratch';
  return openSession({ backing, servers });
}

const check = async ({ ask }: Awaited<ReturnType<typeof open>>): Promise<ToolCheck[]> =>
  (await ask('tool/check', {})).checks;

describe('ServerChecks', () => {
  test('tells what the server of each lane refuses, once for each server', async () => {
    const opened = await open({ one: 'llama-server', two: 'Mistral', three: 'llama-server' });
    expect(await check(opened)).toEqual([
      {
        toolId: opened.session.editable.toolIds[1],
        server: 'llama-server',
        laneIds: ['a', 'c'],
        problems: [
          'A pattern with an escape that grammars do not have, such as `\\d`: `/properties/time/pattern`.',
          'A pattern that does not begin with `^` and end with `$`: `/properties/time/pattern`.',
        ],
        isPartial: false,
        isReducible: true,
      },
    ]);
  });

  test('counts further places, and keeps backticks in names out of the code', async () => {
    const properties = Object.fromEntries(
      ['a`b', 'c', 'd', 'e', 'f'].map((name) => [name, { format: 'x', type: 'string' }]),
    );
    const opened = await open({ one: 'Gemini' }, [
      { name: 'tool', parameters: { type: 'object', properties } },
    ]);
    expect((await check(opened))[0]?.problems).toEqual([
      "A `format` other than `date-time` and `enum`: `/properties/a'b/format`, `/properties/c/format`, `/properties/d/format`, 2 more places.",
    ]);
  });

  test('follows the document and the connections of its lanes', async () => {
    const opened = await open({ one: 'llama-server', two: 'Mistral' });
    expect(await check(opened)).toHaveLength(1);
    await opened.ask('document/edit', { edits: [{ path: ['lanes', 0, 'connection'], value: 'two' }] });
    expect(await check(opened)).toEqual([]);
  });

  test('asks a server again only while it is not known', async () => {
    const servers: Record<string, string> = { one: '' };
    const opened = await open(servers);
    Reflect.deleteProperty(servers, 'one');
    expect(await check(opened)).toEqual([]);
    servers['one'] = 'llama-server';
    expect(await check(opened)).toEqual([]);
    opened.clock.advance(15_000);
    expect(await check(opened)).toHaveLength(1);
    servers['one'] = 'Mistral';
    opened.clock.advance(100_000);
    expect(await check(opened)).toHaveLength(1);
  });

  test('shows the tool beside its reduced form', async () => {
    const opened = await open({ one: 'llama-server' });
    const toolId = opened.session.editable.toolIds[1] ?? '';
    const { title, left, right } = await opened.session.serverChecks.texts({
      toolId,
      server: 'llama-server',
    });
    expect(title).toBe('book ↔ reduced for llama-server');
    expect(JSON.parse(left.text)).toEqual(BOOK);
    expect(right.text).toContain('"pattern": "^.*[0-9]{2}:[0-9]{2}.*$"');
  });

  test('replaces the tool in one step that can be undone, and nothing else of the text', async () => {
    const opened = await open({ one: 'llama-server' });
    const before = opened.backing.read();
    const toolId = opened.session.editable.toolIds[1] ?? '';
    await opened.ask('tool/use-reduced', { toolId, server: 'llama-server' });
    await opened.session.editable.flush();
    const pattern = JSON.stringify(TIME.pattern);
    expect(opened.backing.read()).toBe(before.replace(pattern, '"^.*[0-9]{2}:[0-9]{2}.*$"'));
    expect(await check(opened)).toEqual([]);
    await opened.session.editable.undoOrRedo('undo');
    expect(opened.backing.read()).toBe(before);
  });

  test('refuses the reduced form of a tool that is gone, and to change one of a library', async () => {
    const opened = await openSession({
      text: JSON.stringify({
        lanes: [{ id: 'a', connection: 'one' }],
        tools: [{ $ref: './tools.json#/book' }],
      }),
      servers: { one: 'llama-server' },
      tools: { resolve: () => Promise.resolve({ ...BOOK, mocks: [], offered: true }) },
    });
    const [{ toolId } = { toolId: '' }] = await check(opened);
    const use = (id: string) => opened.ask('tool/use-reduced', { toolId: id, server: 'llama-server' });
    await expect(use(toolId)).rejects.toThrow('The tool comes from a library.');
    await expect(use('gone')).rejects.toThrow('The tool has no reduced form.');
  });
});
