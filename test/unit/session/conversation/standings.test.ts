// What a lane says of its last reply and of its next run, and that *Run* brings every lane to what the document says.
import { describe, expect, test } from 'vitest';
import type { LaneSnapshot } from '../../../../src/protocol';
import { MemoryRunStore } from '../../../../src/session';
import type { Opened } from '../../../support/session/scripted-session';
import { calling, inTurn, MemoryBacking } from '../../../support/session/scripted-session';
import { give, lanes, open, QUESTION, send, toText, withTool } from '../weather';

const standing = (one: Opened, laneId = 'a'): LaneSnapshot | undefined =>
  one.session.laneSnapshot(laneId, undefined);
const changed = (one: Opened, laneId = 'a') => standing(one, laneId)?.sent?.changed;
const said = (one: Opened, laneId = 'a') =>
  one.entries(laneId).map((entry) => (entry.kind === 'run' ? 'run' : entry.content));
const run = async (one: Opened, kind: 'chat' | 'agent' = 'chat', more: object = {}): Promise<void> => {
  await one.ask('run/start', { laneIds: one.session.laneIds, kind, ...more });
  await one.settled();
};
const edit = (one: Opened, path: (string | number)[], value?: unknown) =>
  one.ask('document/edit', { edits: [value === undefined ? { path } : { path, value }] });

async function asked(document: object, text = QUESTION, setup: object = {}): Promise<Opened> {
  const one = await open({ text: toText(document), ...setup });
  await send(one, text);
  await one.settled();
  return one;
}

describe('a change of what is sent', () => {
  test('is brought to all lanes by one request, each with its question', async () => {
    const one = await asked({ system: 'Be brief.', ...lanes('a', 'b', 'c') });
    expect(one.session.laneIds.map((id) => standing(one, id)?.next)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await edit(one, ['system'], 'Be rude.');
    expect(one.session.laneIds.map((id) => [changed(one, id), standing(one, id)?.next])).toEqual(
      Array.from({ length: 3 }, () => [['system'], 'again']),
    );
    await run(one);
    expect(one.asked.slice(3).map(({ messages }) => messages.map(({ content }) => content))).toEqual(
      Array.from({ length: 3 }, () => ['Be rude.', QUESTION]),
    );
    for (const id of one.session.laneIds) {
      expect(said(one, id)).toEqual([QUESTION, 'run']);
      expect([changed(one, id), standing(one, id)?.next]).toEqual([[], undefined]);
    }
  });

  test('is brought only to the lanes concerned, and without one nothing is sent', async () => {
    const one = await asked(lanes('a', 'b'));
    await edit(one, ['lanes', 1, 'sampling'], { temperature: 1.5 });
    expect([changed(one, 'a'), changed(one, 'b')]).toEqual([[], ['temperature']]);
    await run(one);
    expect(one.asked.map(({ sampling }) => sampling)).toEqual([{}, {}, { temperature: 1.5 }]);
    await expect(run(one)).rejects.toMatchObject({ info: { what: 'There is nothing to send.' } });
  });

  test('replaces replies that come back in all lanes at once, with what they were sent with', async () => {
    const one = await asked({ system: 'Be brief.', ...lanes('a', 'b') });
    const ids = (): (string | undefined)[] => one.session.laneIds.map((id) => one.runs(id)[0]?.id);
    const before = ids();
    await edit(one, ['system'], 'Be rude.');
    await run(one);
    expect(ids()).not.toEqual(before);
    await one.ask('conversation/restore', {});
    expect(ids()).toEqual(before);
    await one.until(() => one.session.laneIds.every((id) => changed(one, id)?.length === 1));
    expect(standing(one, 'b')).toMatchObject({ sent: { changed: ['system'] }, next: 'again' });
  });

  test('leaves the earlier replies, and what is being written', async () => {
    const one = await asked({ system: 'One.', ...lanes('a') }, 'first');
    await send(one, 'second');
    await one.settled();
    await edit(one, ['system'], 'Two.');
    await one.ask('message/draft', { text: 'Half a sen' });
    const [, first] = one.entries();
    await run(one);
    expect(said(one)).toEqual(['first', 'run', 'second', 'run']);
    expect(one.entries()[1]?.id).toBe(first?.id);
    expect(one.asked.at(-1)?.messages.map(({ content }) => content)).toEqual([
      'Two.',
      'first',
      'answer 2',
      'second',
    ]);
    expect(one.session.documentSnapshot().draft).toBe('Half a sen');
  });

  test('asks the whole agent run again, as an agent run, and then what was said in it', async () => {
    const script = inTurn(calling('get_weather'), { content: 'Mild.' }, calling('get_weather'), {
      content: 'Cold.',
    });
    const one = await open({ text: toText(withTool([{ result: 'mild' }])), script });
    await one.ask('run/start', { laneIds: ['a'], kind: 'agent', text: QUESTION, isStepMode: true });
    await one.until(() => standing(one)?.run?.phase === 'paused');
    await one.ask('run/continue', { laneId: 'a', isStepMode: false, text: 'Hurry.' });
    await one.settled();
    expect(said(one)).toEqual([QUESTION, 'run', 'Hurry.', 'run']);
    await edit(one, ['tools', 0, 'description'], 'The weather of a city, now.');
    expect(changed(one)).toEqual(['tools']);
    await run(one);
    expect(said(one)).toEqual([QUESTION, 'run', 'run', 'Hurry.', 'run']);
    expect(one.asked[2]?.messages.map(({ content }) => content)).toEqual([QUESTION]);
    expect(one.runs().map(({ step }) => step?.number)).toEqual([1, 2, 1]);
  });

  test('asks again from the question, not from a result that was given by hand, unless the step is repeated', async () => {
    const script = inTurn(
      calling('get_weather'),
      { content: 'Mild.' },
      { content: 'Milder.' },
      { content: 'No.' },
    );
    const one = await asked({ ...withTool() }, QUESTION, { script });
    await give(one, 'snow');
    await one.settled();
    await edit(one, ['lanes'], [{ id: 'a', sampling: { seed: 7 } }]);
    await run(one, 'chat', { isRepeat: true });
    expect(one.asked.at(-1)?.messages.map(({ content }) => content)).toEqual([QUESTION, '', 'snow']);
    expect(changed(one)).toEqual([]);
    await edit(one, ['lanes', 0, 'sampling', 'seed'], 8);
    await run(one);
    expect(one.asked.at(-1)?.messages.map(({ content }) => content)).toEqual([QUESTION]);
    expect(said(one)).toEqual([QUESTION, 'run']);
  });

  test('by an editor beside is noticed in an earlier message, and sends all that follows anew', async () => {
    const one = await asked({}, 'first');
    await send(one, 'second');
    await one.settled();
    expect(said(one)).toEqual(['first', 'run', 'second', 'run']);
    one.backing.replace(one.backing.text.replace('first', 'premier'));
    expect([changed(one), standing(one)?.next]).toEqual([['messages'], 'again']);
    await run(one);
    expect(said(one)).toEqual(['premier', 'run', 'second', 'run']);
    expect(changed(one)).toEqual([]);
  });

  test('shows in the prompt that would be sent now', async () => {
    const script = inTurn(calling('get_weather'), { content: 'Mild.' });
    const one = await open({
      text: toText(withTool([{ result: 'mild' }])),
      script,
      render: ({ messages }) =>
        Promise.resolve({ text: JSON.stringify(messages), missingTools: [] } as never),
    });
    await one.ask('run/start', { laneIds: ['a'], kind: 'agent', text: QUESTION });
    await one.settled();
    await edit(one, ['system'], 'Be brief.');
    const { head } = await one.ask('prompt/render', { laneId: 'a' });
    expect((JSON.parse(head) as { content: string }[]).map(({ content }) => content)).toEqual([
      'Be brief.',
      QUESTION,
    ]);
  });
});

describe('what the last reply was sent with', () => {
  const LANE = {
    id: 'a',
    sampling: { temperature: 0, stop: ['x'] },
    raw: { top_k: 1, min_p: 0 },
    rescueToolCalls: false,
  };

  test('stays what it was, whatever the document says, also after a reload', async () => {
    const store = new MemoryRunStore();
    const one = await asked({ lanes: [LANE] }, QUESTION, { store });
    await edit(one, ['lanes', 0, 'sampling', 'temperature'], 1.5);
    const settings = {
      sampling: { temperature: 0, stop: ['x'] },
      rescueToolCalls: false,
      rawKeys: 2,
    };
    expect(standing(one)?.sent).toMatchObject({ settings, changed: ['temperature'] });
    expect(standing(one)?.sent?.settings).not.toHaveProperty('limits');
    await one.session.flush();
    const again = await open({ backing: new MemoryBacking(one.backing.text), store });
    expect(standing(again)?.sent).toMatchObject({ settings, changed: ['temperature'] });
    expect(standing(again)?.next).toBe('again');
  });

  test('comes back with a conversation that was cleared', async () => {
    const one = await asked({ system: 'One.', lanes: [LANE] });
    await one.ask('conversation/clear', {});
    expect(standing(one)?.sent).toBeUndefined();
    await send(one, 'Another?');
    await one.settled();
    await one.ask('conversation/clear', {});
    await edit(one, ['system'], 'Two.');
    await one.ask('conversation/restore', {});
    await one.until(() => changed(one)?.length === 1);
    expect(standing(one)?.sent).toMatchObject({ settings: { rawKeys: 2 }, changed: ['system'] });
  });

  test('includes mocks and limits for an agent run only', async () => {
    const limits = [{ id: 'a', limits: { maxSteps: 3 } }];
    const one = await asked({ ...withTool([{ result: 'mild' }]), lanes: limits });
    const change = async (): Promise<void> => {
      await edit(
        one,
        ['tools', 0, 'mocks'],
        [{ result: one.backing.text.includes('cold') ? 'mild' : 'cold' }],
      );
      await edit(one, ['lanes', 0, 'limits', 'maxSteps'], one.backing.text.includes('4') ? 3 : 4);
    };
    await change();
    expect(changed(one)).toEqual([]);
    await run(one, 'agent', { text: 'And now?' });
    expect(standing(one)?.sent?.settings?.limits).toEqual({ maxSteps: 4 });
    await change();
    expect(changed(one)).toEqual(['mocks', 'limits']);
  });

  test('is the same in two lanes that differ in what is compared, and not with another prompt or tool choice', async () => {
    const compared = [
      { id: 'a', model: 'm', sampling: { temperature: 0 } },
      { id: 'b', model: 'n' },
      { id: 'c', toolChoice: 'required' },
    ];
    const one = await asked({ ...withTool(), lanes: compared });
    const prints = (id: string) => standing(one, id)?.sent?.settings?.prints;
    expect(prints('a')).toEqual(prints('b'));
    expect(prints('c')).toMatchObject({
      ...prints('a'),
      options: expect.not.stringMatching(prints('a')?.options ?? ''),
    });
    await edit(one, ['system'], 'Be brief.');
    await one.ask('run/start', { laneIds: ['a'], kind: 'chat' });
    await one.settled();
    expect(prints('a')?.system).not.toBe(prints('b')?.system);
    expect(prints('a')?.tools).toBe(prints('b')?.tools);
  });
});

describe('what prevents a run', () => {
  test('is named for the only lane, and by number for one of several', async () => {
    const one = await open({ text: toText({ lanes: [{ id: 'a', connection: 'gone' }] }) });
    await one.until(() => one.session.environment !== undefined);
    expect(standing(one)?.blocker).toBe(
      'The connection `gone` of the lane is not set up: choose another one in its settings.',
    );
    one.backing.replace(toText({ lanes: [{ id: 'b' }, { id: 'a', connection: 'gone' }] }));
    expect(standing(one)?.blocker).toBe(
      'The connection `gone` of lane 2 is not set up: choose another one in its settings.',
    );
    expect(standing(one, 'b')).not.toHaveProperty('blocker');
  });
});
