import { beforeEach, describe, expect, test } from 'vitest';
import type { CommandServices } from '../../../../src/host/commands/command-services';
import {
  addLane,
  exportLanes,
  runAgent,
  runPlayground,
  stopRuns,
  toggleInspector,
} from '../../../../src/host/commands/panel-commands';
import { person, resetPerson } from '../../../support/vscode/vscode-views';

/** @returns what the active panel was asked for, and how often its runs were stopped */
function open(isActive: 'panel' | 'file' | 'none'): { services: CommandServices; asked: unknown[] } {
  const asked: unknown[] = [];
  const view = { act: (action: unknown) => asked.push(action) };
  const session = { laneIds: ['a'], stopAll: () => asked.push('stop') };
  const services = {
    panels: isActive === 'panel' ? { active: { id: 'scratch:one' }, activeView: view } : {},
    editor:
      isActive === 'file'
        ? { active: { uri: { toString: () => 'file:///a.playground.json' } }, activeView: view }
        : {},
    pool: { find: () => Promise.resolve(session) },
  };
  return { services: services as unknown as CommandServices, asked };
}

describe('a command of the panel', () => {
  beforeEach(resetPerson);

  test.each(['panel', 'file'] as const)('asks the active %s for what its button does', (active) => {
    const { services, asked } = open(active);
    for (const command of [runPlayground, runAgent, addLane, toggleInspector]) command(services);
    expect(asked).toEqual(['run', 'run-agent', 'add-lane', 'toggle-inspector'].map((kind) => ({ kind })));
  });

  test('stops the runs of the active playground in its session, which also reaches a page that hangs', async () => {
    const { services, asked } = open('panel');
    await stopRuns(services);
    expect(asked).toEqual(['stop']);
  });

  test('says that no playground is active', async () => {
    const { services, asked } = open('none');
    runPlayground(services);
    await stopRuns(services);
    await exportLanes(services);
    expect(asked).toEqual([]);
    expect(person.messages).toHaveLength(3);
  });
});
