// When the tree is redrawn and when it waits: VS Code moves the focus to the tree when it is redrawn.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConnectionService } from '../../../../src/host/connections/connection-service';
import { ViewServices } from '../../../../src/host/connections-view/view-services';
import { FakeClock } from '../../../support/fake-clock';
import type { Input } from '../../../support/vscode-views';
import { person, resetPerson } from '../../../support/vscode-views';

vi.mock('vscode', () => import('../../../support/vscode-views'));
beforeEach(resetPerson);

function open() {
  const drawn: unknown[] = [];
  const connections = {
    list: () => [],
    misplaced: () => [],
    redactor: () => Promise.resolve(undefined),
  } as unknown as ConnectionService;
  const services = new ViewServices(
    {
      connections,
      clock: new FakeClock(),
      keys: { storedFor: () => Promise.resolve([]), forget: () => Promise.resolve(0) },
    } as unknown as ConstructorParameters<typeof ViewServices>[0],
    (node) => drawn.push(node),
  );
  return { services, drawn };
}

describe('ViewServices', () => {
  test('redraws the tree after a dialog rather than between its steps', async () => {
    const { services, drawn } = open();
    services.connectionsChanged();
    await expect.poll(() => drawn.length).toBe(1);
    person.answers.push(async (input: Input) => {
      services.connectionsChanged();
      await new Promise((resolve) => setImmediate(resolve));
      expect(drawn).toHaveLength(1);
      input.escape();
    });
    await services.actions.add(undefined);
    expect(drawn).toHaveLength(2);
  });
});
