// The status bar item during runs in two playgrounds.
import { beforeEach, describe, expect, test } from 'vitest';
import { RunsItem } from '../../../../src/host/playground/runs-item';
import type { Session } from '../../../../src/session';
import { person, resetPerson, statusItems } from '../../../support/vscode/vscode-views';

beforeEach(resetPerson);

class FakeSession {
  readonly id: string;
  runningCount = 0;
  stops = 0;
  readonly editable;
  #changed: () => void = () => undefined;
  #ended: () => void = () => undefined;

  constructor(id: string, message: string) {
    this.id = id;
    this.editable = { document: { messages: [{ role: 'user', content: message }] } };
  }

  onDidChange = (listener: () => void): void => void (this.#changed = listener);
  onDidDispose = (listener: () => void): void => void (this.#ended = listener);
  stopAll = (): void => void this.stops++;

  run(count: number): void {
    this.runningCount = count;
    this.#changed();
  }

  end(): void {
    this.#ended();
  }
}

function open() {
  const shown: string[] = [];
  const item = new RunsItem((id) => shown.push(id));
  const one = new FakeSession('scratch:1', 'Weather?');
  const other = new FakeSession('file:/a', 'Rivers?');
  for (const session of [one, other]) item.follow(session as unknown as Session);
  return { item, one, other, shown };
}

describe('RunsItem', () => {
  test('is hidden before the first run', () => {
    open();
    expect(statusItems).toEqual([]);
  });

  test('counts the runs of all playgrounds, and is hidden after the last one', () => {
    const { one, other } = open();
    one.run(1);
    expect(statusItems).toMatchObject([
      { text: '$(sync~spin) 1 run', isShown: true, command: 'providerPlayground.showRuns' },
    ]);
    other.run(2);
    expect(statusItems).toMatchObject([{ text: '$(sync~spin) 3 runs', isShown: true }]);
    one.run(0);
    other.end();
    expect(statusItems).toMatchObject([{ isShown: false }]);
  });

  test('opens the chosen playground', async () => {
    const { item, other, shown } = open();
    other.run(1);
    person.replies.push((items: { label: string }[]) => items[1]);
    await item.choose();
    expect(person.messages[0]?.[0]).toMatchObject([
      { label: 'Stop all runs' },
      { label: 'Show Rivers?', description: '1 run' },
    ]);
    expect([shown, other.stops]).toEqual([['file:/a'], 0]);
  });

  test('stops all runs', async () => {
    const { item, one, other } = open();
    other.run(1);
    person.replies.push((items: unknown[]) => items[0]);
    await item.choose();
    expect([one.stops, other.stops]).toEqual([0, 1]);
  });

  test('reports that no run is left', async () => {
    await open().item.choose();
    expect(person.messages).toEqual([['No run is under way.']]);
  });
});
