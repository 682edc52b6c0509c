// What a run says of options that were not sent.
import { describe, expect, it } from 'vitest';
import { tellIgnored } from '../../../../src/host/language-model/tell-ignored';

const NONE = { notAllowed: [], unusable: [] };

describe('tellIgnored', () => {
  it('says nothing where everything was sent', () => expect(tellIgnored(NONE)).toEqual([]));

  it('says how to allow what is not allowed', () => {
    expect(tellIgnored({ ...NONE, notAllowed: ['format'] })).toEqual([
      {
        cause: 'sampling-dropped',
        severity: 'info',
        tab: 'wire',
        what: 'The option `format` of whoever asked was not sent: the connection allows sampling parameters only.',
        next: 'To send such options, set `chatRawOptions` of the connection in your user settings.',
      },
    ]);
    expect(tellIgnored({ ...NONE, notAllowed: ['a', 'b'] })[0]?.what).toMatch(
      /^The options `a`, `b` of whoever asked were not sent/,
    );
  });

  it('names no setting for what is never sent', () => {
    const [one] = tellIgnored({ ...NONE, unusable: ['model'] });
    expect(one?.what).toMatch(/^The option `model` of whoever asked was not sent: its value/);
    expect(one).not.toHaveProperty('next');
  });

  it('keeps the sentence short, whatever the names are', () => {
    const names = Array.from({ length: 500 }, (_, index) => `${'`'.repeat(5)}${index}${'x'.repeat(9_000)}`);
    const [finding] = tellIgnored({ ...NONE, notAllowed: names });
    expect(finding?.what.length).toBeLessThan(600);
    expect(finding?.what).toContain('and 492 more');
    expect(finding?.what.match(/`/g)).toHaveLength(16);
  });
});
