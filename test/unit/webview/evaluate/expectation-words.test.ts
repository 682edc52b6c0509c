import { describe, expect, it } from 'vitest';
import { nameOfExpectation } from '../../../../webview/evaluate/expectation-words';

describe('nameOfExpectation', () => {
  it.each([
    [{ name: 'in time', calls: [] }, 'in time'],
    [{ calls: [] }, 'no call'],
    [{ calls: [{ tool: 'a' }, { tool: 'b' }] }, 'a, b'],
    [{ never: ['delete_file'] }, 'never delete_file'],
    [{ max: { timeMs: 1 } }, 'limits'],
    [{}, 'expectation 3'],
    [{ name: 'x'.repeat(300) }, `${'x'.repeat(80)}…`],
  ])('of %j is %s', (expectation, name) => {
    expect(nameOfExpectation(expectation, 2)).toBe(name);
  });
});
