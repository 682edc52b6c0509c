import { beforeEach, describe, expect, test } from 'vitest';
import type { CommandServices } from '../../../../src/host/commands/command-services';
import { renamePlayground } from '../../../../src/host/commands/rename-playground';
import { EditRefusedError } from '../../../../src/session';
import { person, resetPerson } from '../../../support/vscode/vscode-views';

beforeEach(resetPerson);

/** Types a name for an active scratch. @returns what happened, in order */
async function rename(typed: string | undefined, { isRefused = false } = {}): Promise<unknown[]> {
  const happened: unknown[] = [];
  const session = {
    id: 'scratch:one',
    editable: {
      document: { name: 'Before', messages: [] },
      edit: (edits: unknown[]) => {
        if (isRefused) throw new EditRefusedError('The file is read-only.');
        happened.push(...edits);
      },
    },
    command: async (work: () => unknown) => Promise.resolve(work()),
  };
  person.replies.push(typed);
  await renamePlayground({
    panels: { active: { id: 'scratch:one' } },
    editor: {},
    pool: {
      find: () => Promise.resolve(session),
      flush: (id: string) => Promise.resolve(void happened.push(`flush ${id}`)),
    },
    history: { runsChanged: () => void happened.push('history') },
  } as unknown as CommandServices);
  return happened;
}

describe('renamePlayground', () => {
  test('writes the name into the text, and shows it in the history', async () => {
    expect(await rename(' Weather ')).toEqual([
      { path: ['name'], value: 'Weather' },
      'flush scratch:one',
      'history',
    ]);
    expect(person.messages).toMatchObject([[{ value: 'Before' }]]);
  });

  test('removes the name when nothing is typed, and changes nothing when the question is left', async () => {
    expect(await rename('  ')).toContainEqual({ path: ['name'] });
    expect(await rename(undefined)).toEqual([]);
  });

  test('says why the playground was not renamed', async () => {
    expect(await rename('Weather', { isRefused: true })).toEqual([]);
    expect(person.messages.at(-1)).toEqual(['The playground was not renamed. The file is read-only.']);
  });
});
