// The cases of what public bug reports describe: each is right, or listed as one that is not right yet.
import { afterAll, describe, expect, it } from 'vitest';
import { closeConnections } from '../../../src/library';
import { readFieldCases, readOpenCases } from '../../support/field/field-case';
import { judgeCase } from '../../support/field/judge-case';
import { closeReplies } from '../../support/field/play-replies';

const CASES = readFieldCases();
const OPEN = readOpenCases();
const KINDS = [...new Set(CASES.map(({ kind }) => kind))];

afterAll(async () => {
  await closeConnections();
  await closeReplies();
});

it('lists as open only faults that there are, each once', () => {
  const faults = CASES.filter(({ control }) => !control).map(({ id }) => id);
  expect([...OPEN].filter((id) => !faults.includes(id))).toEqual([]);
  expect(new Set(CASES.map(({ id }) => id)).size).toBe(CASES.length);
});

describe.each(KINDS)('kind %s', (kind) => {
  it.each(CASES.filter((item) => item.kind === kind))('$id: $what', async (item) => {
    const problems = await judgeCase(item);
    if (!OPEN.has(item.id)) expect(problems).toEqual([]);
    else expect(problems, 'It is right now: remove it from open-cases.txt.').not.toEqual([]);
  });
});
