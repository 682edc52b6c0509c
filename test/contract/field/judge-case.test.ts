// The judge itself: what it must not let pass.
import { afterAll, expect, it } from 'vitest';
import { closeConnections } from '../../../src/library';
import type { WireCase } from '../../support/field/field-case';
import { judgeCase } from '../../support/field/judge-case';
import { closeReplies } from '../../support/field/play-replies';
import { adviceOf } from '../../support/field/words-of';

afterAll(async () => {
  await closeConnections();
  await closeReplies();
});

const REFUSED: WireCase = {
  id: 'x',
  kind: 'X',
  what: 'a refusal',
  endpoint: 'hosted-api',
  tools: [],
  status: 400,
  headers: { 'content-type': 'application/json' },
  chunks: ['{"error":{"message":"No room for tools."}}'],
  expected: { error: true, attempts: 1, says: 'room for tools' },
};

it('counts what the server said as said, and not as advice', async () => {
  expect(await judgeCase(REFUSED)).toEqual([]);
  const advised = await judgeCase({ ...REFUSED, expected: { error: true, finding: 'room for tools' } });
  expect(advised).toEqual([expect.stringMatching(/^finding: /)]);
});

it('removes quotations of every shape from the advice', () => {
  const said = ['data: {"error":{"metadata":{"raw":"{\\"message\\":\\"It is too long.\\"}"}}}\n\n'];
  const error = { code: 'http', title: '', what: 'It failed.', next: 'Send less.' };
  const why = 'The server says: It is too long, and mo…';
  const finding = { severity: 'error' as const, what: 'The cause is “It is too long”.' };
  expect(adviceOf({ error: { ...error, why }, findings: [finding] }, said)).toEqual([
    'It failed. Send less.',
    'The cause is “…”.',
  ]);
});

it('names each expectation that does not hold, and asks for one of several', async () => {
  const wrong = { error: false, attempts: 3, content: 'hi' };
  const problems = await judgeCase({ ...REFUSED, expected: wrong });
  expect(problems.map((problem) => problem.replace(/:.*/s, ''))).toEqual(['content', 'attempts', 'error']);
  expect(await judgeCase({ ...REFUSED, expected: { anyOf: [wrong, { error: ['http'] }] } })).toEqual([]);
});
