// The commands of the history view, called with arguments of any type.
import { beforeEach, expect, test, vi } from 'vitest';
import type { ActionServices } from '../../../../src/host/history-view/action-services';
import { createActions } from '../../../../src/host/history-view/actions';
import { HISTORY_COMMANDS } from '../../../../src/host/contributions';
import { person, resetPerson } from '../../../support/vscode/vscode-views';

vi.mock('vscode', () => import('../../../support/vscode/vscode-views'));
beforeEach(resetPerson);

const OF_RUNS = HISTORY_COMMANDS.filter((name) => !/(refresh|filter|showChat)/i.test(name));

test.each(OF_RUNS)('%s asks to select a run if it is called without one', async (name) => {
  const explain = vi.fn<ActionServices['explain']>();
  const services = { selection: () => [], explain } as Partial<ActionServices>;
  const actions = createActions({ ...services, tree: {} } as ActionServices);
  const connection = { kind: 'connection', id: 'demo' };
  for (const target of [undefined, null, 5, 'x', {}, [], connection, { kind: 'run', sessionId: 5 }]) {
    person.messages = [];
    await actions[name](target);
    expect(person.messages, JSON.stringify(target)).toEqual([
      expect.arrayContaining(['Select a run or an evaluation in the History view first.']),
    ]);
  }
  expect(explain).not.toHaveBeenCalled();
});

test.each([
  [['file:///a', 'vscode-chat'], [{ kind: 'playground', sessionId: 'vscode-chat' }], []],
  [['file:///a'], [], [expect.stringContaining('Offer a connection to it in the Connections view')]],
])(
  'of stored sessions %j it shows the requests of the chat, or says how they come about',
  async (ids, nodes, said) => {
    const revealed: unknown[] = [];
    const filters: unknown[] = [];
    const services: Partial<ActionServices> = {
      history: { sessions: async () => ids.map((sessionId) => ({ sessionId })) } as never,
      setFilter: async (filter) => void filters.push(filter),
      refresh: () => Promise.resolve(),
      reveal: async (node) => void revealed.push(node),
    };
    await createActions(services as ActionServices).showChatRuns(undefined);
    expect(revealed).toEqual(nodes);
    expect(filters).toEqual([expect.objectContaining({ text: '' })]);
    expect(person.messages.map(([text]) => text)).toEqual(said);
  },
);
