import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../../../src/types';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { tag } from '../rescue-fixtures';

const DECLARED = {
  type: 'object',
  properties: { city: { type: 'string' }, unit: { type: 'string' }, 'days ahead': { type: 'integer' } },
};

const rescue = (key: string, parameters: JsonSchema = DECLARED) =>
  rescueToolCalls(tag(JSON.stringify({ name: 'forecast', arguments: { city: 'Ghent', [key]: 'x' } })), [
    { name: 'forecast', parameters },
  ]);

describe('judgeCall', () => {
  it.each(['un|it', 'unit>', ' unit', 'u"nit', '', 'un=it', 'days_ahead: unit'])(
    'refuses the damaged key %j',
    (key) => {
      const { calls, rejected } = rescue(key);
      expect(calls).toEqual([]);
      expect(rejected).toMatchObject([{ reason: 'malformed', name: 'forecast' }]);
      expect(rejected[0]?.detail).toContain(`the key \`${key}\`, which the tool does not declare`);
    },
  );

  it.each([
    'unit',
    'temperatur-einheit',
    '都市',
    'नाम',
    'x-y.z',
    '$a',
    'days ahead',
    'X Header',
    'filter[status]',
    '@type',
  ])('accepts the key %j', (key) => {
    expect(rescue(key).calls).toMatchObject([{ arguments: { [key]: 'x' } }]);
  });

  it.each([
    ['declares none', { type: 'object' }],
    ['takes further ones', { ...DECLARED, additionalProperties: { type: 'string' } }],
    ['takes those of a pattern', { ...DECLARED, patternProperties: { '^x': {} } }],
  ])('accepts any key for a tool that %s', (_, parameters) => {
    expect(rescue('un|it', parameters).calls).toHaveLength(1);
  });
});
