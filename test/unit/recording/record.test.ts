// Which conversation of a program each recorded exchange belongs to.
import { describe, expect, it } from 'vitest';
import { Records } from '../../../src/recording';
import { ask, echo, record } from '../../support/servers/recorded-server';

const user = (content: unknown) => ({ role: 'user', content });
const called = [
  { role: 'assistant', content: null, tool_calls: [] },
  { role: 'tool', tool_call_id: 'c1', content: 'done' },
];
const FOLDER = user('<environment_context>/projects/harbour</environment_context>');

type Sent = readonly [program: string, messages: readonly object[], path?: string];

async function sessionsOf(sent: readonly Sent[]): Promise<(number | undefined)[]> {
  const { recording, ended } = await record(echo);
  const records = new Records();
  const sessions: (number | undefined)[] = [];
  for (const [program, messages, path = '/chat/completions'] of sent) {
    const headers = { 'user-agent': program };
    const body = JSON.stringify({ model: 'm', messages });
    await ask(`${recording.address}${path}`, { method: 'POST', headers }, body);
    await expect.poll(() => ended.length).toBe(sessions.length + 1);
    const passage = ended.at(-1);
    sessions.push(passage && records.toRecord(passage)?.session);
  }
  return sessions;
}

describe('the conversation of an exchange', () => {
  it('is told apart for two programs that ask the same in turn', async () => {
    const turns: readonly Sent[] = [
      ['one/1', [user('Go.')]],
      ['two/1', [user('Go.')]],
      ['one/1', [user('Go.'), ...called]],
      ['two/1', [user('Go.'), ...called]],
    ];
    expect(await sessionsOf(turns)).toEqual([1, 2, 1, 2]);
  });

  it('is told apart for two tasks of a program that run at once', async () => {
    const turns: readonly Sent[] = [
      ['one/1', [user('Go.')]],
      ['one/1', [user('Stay.')]],
      ['one/1', [user('Go.'), ...called]],
      ['one/1', [user('Stay.'), ...called]],
      ['one/1', [user('Go.'), ...called, user('And back.')]],
    ];
    expect(await sessionsOf(turns)).toEqual([1, 2, 1, 2, 1]);
  });

  it('is told apart in two protocols', async () => {
    const turns: readonly Sent[] = [
      ['one/1', [user('Go.')]],
      ['one/1', [user('Go.')], '/messages'],
      ['one/1', [user('Go.'), ...called]],
    ];
    expect(await sessionsOf(turns)).toEqual([1, 2, 1]);
  });

  it('is that of the task, where a program says first in which folder it works', async () => {
    const turns: readonly Sent[] = [
      ['one/1', [FOLDER, user('Go.')]],
      ['one/1', [FOLDER, user('Stay.')]],
      ['one/1', [{ role: 'developer', content: 'Be brief.' }, FOLDER, user('Stay.'), ...called]],
      ['one/1', [FOLDER, user('Stay.'), ...called, user('Stay.')]],
    ];
    expect(await sessionsOf(turns)).toEqual([1, 2, 2, 2]);
  });

  it('begins anew when the same task begins again, but not when a request is sent again', async () => {
    const turns: readonly Sent[] = [
      ['one/1', [user('Go.')]],
      ['one/1', [user('Go.')]],
      ['one/1', [user('Go.'), ...called]],
      ['one/1', [user('Go.')]],
      ['one/1', [user('Go.'), ...called]],
    ];
    expect(await sessionsOf(turns)).toEqual([1, 1, 1, 2, 2]);
  });
});
