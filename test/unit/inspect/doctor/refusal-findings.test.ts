import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../../src/types';
import { findingsOf } from '../../../support/diagnosis/diagnosis';
import { toMadeTurn } from '../../../support/session/made-turns';

const REFUSAL = { category: 'cyber', explanation: 'The request asks for malware.' };

const about = (content: string, refusal?: object): Finding[] =>
  findingsOf(
    toMadeTurn(
      {
        content,
        finishReason: 'content_filter',
        change: (turn) => void Object.assign(turn.raw, { refusal }),
      },
      [],
    ),
  );

describe('a finding about a refusal', () => {
  test.each([
    ['an empty reply', '', 'is empty'],
    ['a reply that it ended', 'First, you', 'refused to continue'],
  ])('quotes what the service says of %s', (_, content, what) => {
    const [finding, ...others] = about(content, REFUSAL);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ cause: 'reply-filtered', what: expect.stringContaining(what) });
    expect(finding?.evidence?.slice(-2)).toEqual([
      { place: 'answer, `/stop_details/category`', quote: 'cyber' },
      { place: 'answer, `/stop_details/explanation`', quote: 'The request asks for malware.' },
    ]);
  });

  test('has only what the service says', () => {
    expect(about('First, you')).toEqual([]);
    expect(about('First, you', { category: 'cyber' })[0]?.evidence).toHaveLength(1);
    expect(about('')[0]?.evidence).toHaveLength(1);
  });
});
