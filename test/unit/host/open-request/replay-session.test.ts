import { beforeEach, describe, expect, test } from 'vitest';
import type { CommandServices } from '../../../../src/host/commands/command-services';
import { replayConversations, replayRecording } from '../../../../src/host/open-request/replay-session';
import { recordedConversations } from '../../../../src/session';
import type { RecordedExchange } from '../../../../src/types';
import { recordedExchange } from '../../../support/recording/recorded-exchange';
import { person, resetPerson } from '../../../support/vscode/vscode-views';

const OWN = {
  id: 'own',
  label: 'Own',
  setting: { provider: 'hosted-api', host: 'http://127.0.0.1:8080/v1' },
};
const OTHER = { id: 'other', label: 'Other', setting: { provider: 'local-host', model: 'qwen3:8b' } };
const BROKEN = { id: 'broken', label: 'Broken', problem: 'no', setting: { provider: 'hosted-api' } };

const exchange = (session: number, content: string, tools: object[] = [TOOL]): RecordedExchange =>
  recordedExchange({
    number: session,
    session,
    url: 'http://localhost:8080/v1/chat/completions',
    asked: { model: 'm', messages: [{ role: 'user', content }], tools },
  });
const TOOL = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } };

interface Shown {
  label: string;
  description?: string;
}

/** @param opened Gets what is opened, and what is shown of it. */
const servicesFor = (opened: unknown[], own: object = OWN): CommandServices =>
  ({
    connections: { get: () => Promise.resolve({ connections: { list: () => [own, OTHER, BROKEN] } }) },
    scratches: {
      list: () => Promise.resolve([{ text: '{"lanes":[{"id":"a","connection":"other","model":"used"}]}' }]),
      create: (text: string) => ({ id: 'scratch:1', text }),
    },
    pool: {
      find: () => Promise.resolve(undefined),
      wanted: { ask: (...asked: unknown[]) => void opened.push(asked) },
    },
    panels: { openScratch: ({ text }: { text: string }) => void opened.push(JSON.parse(text)) },
    editor: {},
  }) as unknown as CommandServices;

async function replay(exchanges: readonly RecordedExchange[], own?: object): Promise<unknown[]> {
  const opened: unknown[] = [];
  await replayConversations(servicesFor(opened, own), {
    conversations: recordedConversations(exchanges),
    leftOut: ['lines that cannot be read: 1'],
  });
  return opened;
}

beforeEach(resetPerson);

describe('replayConversations', () => {
  test('opens the evaluation of the chosen session on the chosen lanes, and says what it leaves out', async () => {
    let offered: Shown[] = [];
    person.replies.push(
      (items: Shown[]) => items[1],
      (items: Shown[]) => {
        offered = items;
        return items.slice(0, 2);
      },
    );
    const opened = await replay([exchange(1, 'one'), exchange(2, 'two')]);
    expect(offered.map(({ label, description }) => `${label}, ${description}`)).toEqual([
      'used, Other',
      'Own, the model is chosen in the lane',
      'qwen3:8b, Other',
      'm, Own · as recorded',
    ]);
    expect(opened).toMatchObject([
      ['scratch:1', { kind: 'evaluation' }],
      {
        name: 'Replay: two',
        messages: [{ content: 'two' }],
        lanes: [
          { id: 'a', connection: 'other', model: 'used' },
          { id: 'b', connection: 'own' },
        ],
        evaluate: { rows: [{ $messages: '1' }] },
      },
    ]);
    expect(JSON.stringify(person.messages)).toContain('lines that cannot be read: 1');
  });

  test('names the recorded lane, also where its model is that of the connection', async () => {
    let offered: Shown[] = [];
    person.replies.push((items: Shown[]) => {
      offered = items;
      return [];
    });
    const usual = { ...OWN, setting: { ...OWN.setting, model: 'm' } };
    await replay([exchange(1, 'one')], usual);
    expect(offered.map(({ label, description }) => `${label}, ${description}`)).toEqual([
      'used, Other',
      'm, Own · as recorded',
      'qwen3:8b, Other',
    ]);
  });

  test('opens nothing when no lane is chosen', async () => {
    person.replies.push(() => []);
    expect(await replay([exchange(1, 'one')])).toEqual([]);
    person.replies.push(undefined);
    expect(await replay([exchange(1, 'one')])).toEqual([]);
  });

  test('says why a session cannot be asked again', async () => {
    await expect(replay([exchange(1, 'one', [])])).rejects.toThrow('requests that offer no tools');
  });
});

describe('replayRecording', () => {
  test('says how many requests are no longer stored', async () => {
    const opened: unknown[] = [];
    person.replies.push((items: Shown[]) => items.slice(0, 1));
    await replayRecording(servicesFor(opened), { exchanges: [exchange(1, 'one')], lost: 2 });
    expect(opened).toHaveLength(2);
    expect(JSON.stringify(person.messages)).toContain('requests that are no longer stored: 2');
  });

  test('says that none is', async () => {
    const opened: unknown[] = [];
    await replayRecording(servicesFor(opened), { exchanges: [], lost: 2 });
    expect(opened).toEqual([]);
    expect(JSON.stringify(person.messages)).toContain('The requests are no longer stored.');
  });
});
