// What the line of a recorded request says of how it ended, and how the counts at the end name it.
import { describe, expect, it } from 'vitest';
import { RequestLines } from '../../../../src/cli/proxy/request-line';
import { styleWith } from '../../../../src/cli/terminal';
import type { RecordedExchange } from '../../../../src/types';
import { recordedExchange } from '../../../support/recording/recorded-exchange';

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const HALF = chunk({ content: 'Half of' });
const WHOLE = `${HALF}${chunk({}, 'stop')}data: [DONE]\n\n`;

const exchange = (changes: Partial<RecordedExchange>, body = WHOLE, status = 200): RecordedExchange =>
  recordedExchange({
    asked: { model: 'm', stream: true, messages: [{ role: 'user', content: 'Go.' }] },
    response: { status, headers: { 'content-type': 'text/event-stream' }, body, isComplete: false },
    ...changes,
  });

function read(recorded: RecordedExchange): { end: string | undefined; summary: string } {
  const lines = new RequestLines(styleWith(false));
  const end = lines.add(recorded).trimEnd().split('  ').at(-1);
  return { end, summary: lines.summary() };
}

describe('RequestLines', () => {
  it.each([
    ['that a program left in the middle', { endedBy: 'program' }, HALF, 'the program left', '1 stopped'],
    ['that was stopped', { endedBy: 'recording' }, HALF, 'the recording was stopped', '1 stopped'],
    ['that a program left at its end mark', { endedBy: 'program' }, WHOLE, 'answered', '1 answered'],
    [
      'that broke off',
      { endedBy: 'network', problem: 'It was reset.' },
      HALF,
      'failed: It was reset.',
      '1 failed',
    ],
  ] as const)('names a reply %s', (_, changes, body, end, count) => {
    const said = read(exchange(changes, body));
    expect(said.end).toMatch(end);
    expect(said.summary).toBe(`1 request: ${count}`);
  });

  it('says why calls could not be repaired', () => {
    const { end } = read(exchange({ repairing: 'compressed' }));
    expect(end).toMatch(/^answered: .*; not repaired: the server compressed the reply/);
  });

  it.each(['server', 'program'] as const)('names a refusal a failure, ended by the %s', (endedBy) => {
    const refused = JSON.stringify({ error: { message: 'no such model' } });
    expect(read(exchange({ endedBy }, refused, 404))).toMatchObject({ summary: '1 request: 1 failed' });
  });
});
