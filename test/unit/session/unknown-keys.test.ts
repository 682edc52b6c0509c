// Unknown keys stay in the document, whatever is done in the panel, and are not sent.
import { afterEach, describe, expect, test } from 'vitest';
import type { Opened } from '../../support/session/scripted-session';
import { openSession } from '../../support/session/scripted-session';

const opened: Opened[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ session }) => session.dispose()));
});

const TEXT = JSON.stringify({
  owner: 'top',
  messages: [{ role: 'user', content: 'draft', note: 'message', lanes: ['a'] }],
  tools: [{ name: 'get_weather', note: 'tool', mocks: [{ result: 1, note: 'mock' }] }],
  lanes: [
    {
      id: 'a',
      note: 'lane',
      sampling: { temperature: 0, minP: 0.1 },
      limits: { maxSteps: 3, note: 'limits' },
    },
  ],
  embedding: { note: 'embedding' },
});

async function open(): Promise<Opened> {
  const one = await openSession({ text: TEXT });
  opened.push(one);
  return one;
}
const textOf = (one: Opened): Record<string, unknown> =>
  JSON.parse(one.backing.text) as Record<string, unknown>;

describe('unknown keys', () => {
  test('are neither sent to a server nor part of a reply', async () => {
    const one = await open();
    await one.ask('run/start', { laneIds: ['a'], kind: 'agent', text: 'draft' });
    await one.settled();
    expect(one.asked[0]?.sampling).toEqual({ temperature: 0 });
    expect(one.asked[0]?.messages).toEqual([{ role: 'user', content: 'draft' }]);
    expect(JSON.stringify(one.asked[0]?.tools)).not.toContain('note');
  });

  test('stay when text is typed, parts are changed, added or moved, messages sent, cleared and restored', async () => {
    const one = await open();
    await one.ask('message/draft', { text: 'typed' });
    await one.ask('lane/add', { copyOf: 'a' });
    await one.ask('lane/move', { laneId: 'a', to: 1 });
    await one.ask('document/edit', {
      edits: [
        { path: ['lanes', 0, 'sampling', 'temperature'], value: 1 },
        { path: ['lanes', 0, 'limits', 'maxSteps'], value: 5 },
        { path: ['tools', 0, 'mocks', 0, 'result'], value: 2 },
        { path: ['embedding', 'texts'], value: ['one'] },
      ],
    });
    await one.ask('run/start', { laneIds: ['a'], kind: 'chat', text: 'sent' });
    await one.settled();
    await one.ask('message/draft', { text: 'another' });
    await one.ask('conversation/clear', {});
    await one.ask('conversation/restore', {});
    await one.session.flush();
    const lane = { note: 'lane', sampling: { minP: 0.1 }, limits: { note: 'limits' } };
    expect(textOf(one)).toMatchObject({
      owner: 'top',
      messages: [{ content: 'sent', note: 'message' }, { content: 'another' }],
      tools: [{ note: 'tool', mocks: [{ result: 2, note: 'mock' }] }],
      lanes: [lane, lane],
      embedding: { note: 'embedding', texts: ['one'] },
    });
  });

  test('stay in a message whose lanes change', async () => {
    const one = await open();
    await one.ask('lane/add', { copyOf: 'a' });
    await one.ask('message/draft', { text: 'typed' });
    await one.ask('run/start', { laneIds: one.session.laneIds, kind: 'chat', text: 'for all' });
    await one.settled();
    expect(textOf(one)['messages']).toMatchObject([{ content: 'for all', note: 'message' }]);
  });
});
