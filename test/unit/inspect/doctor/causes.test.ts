// Every cause that the doctor knows is found in its fixture, with evidence and a remedy, and can be translated.
import { config } from '@vscode/l10n';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FindingCause } from '../../../../src/types';
import { pseudoTranslation, untranslatedIn } from '../../../support/texts/pseudo-translation';
import type { Fixture } from './cause-fixtures';
import { CAUSE_FIXTURES } from './cause-fixtures';

describe('the doctor', () => {
  test.each(Object.entries(CAUSE_FIXTURES) as [FindingCause, Fixture][])(
    'finds %s, with its evidence and a remedy',
    async (cause, { find, quote, remedy }) => {
      const finding = await find();
      expect(finding.cause).toBe(cause);
      expect(finding.what).not.toBe('');
      if (quote === undefined) expect(finding.evidence).toBeUndefined();
      else expect(finding.evidence?.map((one) => one.quote).join('\n')).toContain(quote);
      for (const one of finding.evidence ?? []) {
        expect(one.place).not.toBe('');
        expect(one.quote.length).toBeLessThanOrEqual(200);
      }
      expect(finding.remedies?.[0]).toEqual(remedy);
    },
  );
});
describe('the doctor, translated', () => {
  beforeAll(() => config({ contents: pseudoTranslation() }));
  afterAll(() => config({ contents: {} }));

  test.each(Object.entries(CAUSE_FIXTURES))(
    'translates the places of the evidence of %s',
    async (_, { find }) => {
      const { evidence = [] } = await find();
      const places = evidence.map(({ place }) => place.replaceAll(/`[^`]*`/g, ''));
      expect(places.flatMap(untranslatedIn)).toEqual([]);
    },
  );
});
