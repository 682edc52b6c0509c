import { describe, expect, it } from 'vitest';
import {
  attemptResult,
  attemptWord,
  countBegunAttempts,
  countOf,
  countAttempts,
  formatClock,
  formatCost,
  formatCount,
  formatDuration,
  formatSeconds,
  formatTokens,
  headOf,
  spellErrorCode,
  toOneLine,
} from '../../../../webview/text/format';
import { ATTEMPT } from '../samples';

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [42.4, '42 ms'],
    [99.6, '0.10 s'],
    [910, '0.91 s'],
    [996, '1 s'],
    [3880, '3.9 s'],
    [10_000, '10 s'],
    [59_949, '59.9 s'],
    [59_960, '1 min'],
    [60_000, '1 min'],
    [125_000, '2 min 5 s'],
    [119_600, '2 min'],
  ])('formats %d ms as %s', (durationMs, text) => expect(formatDuration(durationMs)).toBe(text));
});

describe('formatSeconds', () => {
  it('has two decimals, and milliseconds for short times', () => {
    expect([0, 8, 910, 2000].map(formatSeconds)).toEqual(['0 ms', '8 ms', '0.91 s', '2.00 s']);
  });
});

describe('formatClock', () => {
  it('counts minutes and seconds, and hours if there are any', () => {
    expect(formatClock(42_900)).toBe('0:42');
    expect(formatClock(725_000)).toBe('12:05');
    expect(formatClock(3_723_000)).toBe('1:02:03');
  });

  it('never runs backwards when the clocks of page and host differ', () => {
    expect(formatClock(-5000)).toBe('0:00');
  });
});

describe('formatTokens', () => {
  it('shows the server’s count, and says when there is none', () => {
    expect(formatTokens({ promptTokens: 384, completionTokens: 71 })).toBe('455 tok');
    expect(formatTokens({ completionTokens: 71 })).toBe('71 tok out');
    expect(formatTokens({ promptTokens: 384 })).toBe('384 tok in');
    expect(formatTokens({})).toBe('not reported');
    expect(formatTokens(undefined)).toBe('not reported');
  });
});

describe('formatCost', () => {
  it('keeps two significant digits of a small cost', () => {
    expect(formatCost(0.00012)).toBe('$0.00012');
    expect(formatCost(0.0012)).toBe('$0.0012');
    expect(formatCost(0.0000001234)).toBe('$0.00000012');
    expect(formatCost(1.239)).toBe('$1.24');
    expect(formatCost(0)).toBe('$0');
  });
});

describe('countOf', () => {
  it('has singular, plural and irregular plural', () => {
    expect(countOf(1, '{0} reply', '{0} replies')).toBe('1 reply');
    expect(countOf(3, '{0} reply', '{0} replies')).toBe('3 replies');
    expect(countOf(12_400, '{0} character', '{0} characters')).toBe(`${formatCount(12_400)} characters`);
  });
});

describe('countAttempts', () => {
  it('counts a reconnect as part of its attempt', () => {
    expect(countAttempts([ATTEMPT, { ...ATTEMPT, decision: 'reconnect' }, { ...ATTEMPT, attempt: 2 }])).toBe(
      2,
    );
    expect(countAttempts([])).toBe(0);
  });
});

describe('countBegunAttempts', () => {
  it('does not count an attempt that has not begun', () => {
    const progress = { attempt: 3, maxAttempts: 3, since: 0, ledger: [ATTEMPT, { ...ATTEMPT, attempt: 2 }] };
    expect(countBegunAttempts({ ...progress, phase: 'waiting-to-retry' })).toBe(2);
    expect(countBegunAttempts({ ...progress, phase: 'waiting-for-headers' })).toBe(3);
    expect(countBegunAttempts(undefined)).toBe(1);
  });
});

describe('attemptResult', () => {
  it('prefers the status, then the error code, then how it ended', () => {
    expect(attemptResult(ATTEMPT)).toBe('200');
    expect(attemptResult({ ...ATTEMPT, status: undefined, errorCode: 'EPIPE' })).toBe('EPIPE');
    expect(attemptResult({ ...ATTEMPT, status: undefined, endedBy: 'caller' })).toBe('stopped');
  });

  it('names both for an answer that broke off', () => {
    const reset = { ...ATTEMPT, endedBy: 'network' as const, errorCode: 'ECONNRESET' };
    expect(attemptResult(reset)).toBe('200, ECONNRESET');
    expect(attemptWord(reset)).toBe('200, cut off');
    expect(attemptWord({ ...reset, errorCode: undefined })).toBe('200, cut off');
    expect(attemptWord({ ...ATTEMPT, endedBy: 'timeout' })).toBe('200, timed out');
  });

  it('describes common error codes in words', () => {
    expect(attemptWord({ ...ATTEMPT, status: undefined, errorCode: 'ECONNREFUSED' })).toBe('refused');
    expect(attemptWord({ ...ATTEMPT, status: undefined, errorCode: 'EPIPE' })).toBe('EPIPE');
  });
});

describe('headOf', () => {
  it('has at most the given length', () => {
    expect(headOf('abc', 2)).toBe('ab');
    expect(headOf('abc', 3)).toBe('abc');
    expect(headOf('abc', 9)).toBe('abc');
    expect(headOf('', 0)).toBe('');
  });

  it('splits no character', () => {
    expect(headOf('a😀b', 2)).toBe('a');
    expect(headOf('a😀b', 3)).toBe('a😀');
    expect(headOf('\ud83dx', 1)).toBe('\ud83d');
  });
});

describe('toOneLine', () => {
  it('shows every kind of line end', () => {
    expect(toOneLine('a\nb\r\nc\rd')).toBe('a↵b↵c↵d');
  });
});

describe('spellErrorCode', () => {
  it('describes an error code in words, and keeps unknown ones', () => {
    expect(spellErrorCode('UND_ERR_SOCKET after 1 attempt')).toBe('cut off after 1 attempt');
    expect(spellErrorCode('ERR_SSL_WRONG_VERSION_NUMBER after 1 attempt')).toBe('no TLS after 1 attempt');
    expect(spellErrorCode('DEPTH_ZERO_SELF_SIGNED_CERT')).toBe('not trusted');
    expect(spellErrorCode('EPIPE after 2 attempts')).toBe('EPIPE after 2 attempts');
    expect(spellErrorCode('503 after 3 attempts')).toBe('503 after 3 attempts');
  });
});
