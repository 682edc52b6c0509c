import { beforeEach, describe, expect, test } from 'vitest';
import type { CommandServices } from '../../../../src/host/commands/command-services';
import { newPlayground } from '../../../../src/host/commands/new-playground';
import { resetPerson } from '../../../support/vscode/vscode-views';

interface Window {
  /** Connection and model of the active playground. */
  active?: string[];
  /** Connections of the scratches, the latest first. */
  scratches?: string[];
  /** Connections of the settings. */
  own?: string[];
}

/** @returns the document that is opened */
async function open({ active, scratches = [], own = [] }: Window): Promise<unknown> {
  const opened: string[] = [];
  const [connection, model] = active ?? [];
  const session = { editable: { document: { lanes: [{ connection, model }] } } };
  const textOn = (id: string): string => JSON.stringify({ lanes: [{ id: 'a', connection: id }] });
  await newPlayground({
    connections: {
      get: () =>
        Promise.resolve({
          connections: {
            list: () => [{ id: 'demo', builtIn: 'local' }, ...own.map((id) => ({ id }))],
          },
        }),
    },
    scratches: {
      list: () => Promise.resolve(scratches.map((id) => ({ id, text: textOn(id), modifiedAt: 0 }))),
      propose: (text: string) => text,
    },
    pool: { find: () => Promise.resolve(session) },
    panels: {
      active: active && { id: 'scratch:one' },
      openScratch: (text: unknown) => void opened.push(String(text)),
    },
    editor: {},
  } as unknown as CommandServices);
  return JSON.parse(opened[0] ?? '') as unknown;
}

beforeEach(resetPerson);

describe('newPlayground', () => {
  test('opens a document without messages and tools, on the lane of the active playground', async () => {
    const opened = await open({
      active: ['ollama', 'qwen3:8b'],
      scratches: ['other'],
      own: ['other', 'ollama'],
    });
    expect(opened).toEqual({ version: 1, lanes: [{ id: 'a', connection: 'ollama', model: 'qwen3:8b' }] });
  });

  test.each<[string, Window, string]>([
    [
      'the scratch that was used last',
      { scratches: ['ollama', 'other'], own: ['other', 'ollama'] },
      'ollama',
    ],
    [
      'the next one, without the connection any more',
      { scratches: ['gone', 'other'], own: ['other'] },
      'other',
    ],
    ['the first connection of the settings, before anything was used', { own: ['mine'] }, 'mine'],
    ['the demo, without any other', {}, 'demo'],
  ])('is on the connection of %s', async (_what, window, connection) => {
    expect(await open(window)).toMatchObject({ lanes: [{ connection }] });
  });
});
