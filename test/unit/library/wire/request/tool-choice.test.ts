// The tool choice on its way into a body and back.
import { describe, expect, test } from 'vitest';
import type { ToolChoice } from '../../../../../src/library';
import { readToolChoice, toToolChoiceField } from '../../../../../src/library/wire/request/tool-choice';

const CHOICES: ToolChoice[] = ['auto', 'none', 'required', { tool: 'forecast' }];

describe('toToolChoiceField', () => {
  test.each(CHOICES)('%o comes back as it was', (choice) => {
    const field = toToolChoiceField(choice, [{}]);
    expect(readToolChoice(field)).toEqual({ choice, key: 'tool_choice' });
  });

  test('is empty without a choice, and without tools to choose from', () => {
    expect(toToolChoiceField(undefined, [{}])).toEqual({});
    expect(toToolChoiceField('required', [])).toEqual({});
  });
});

describe('readToolChoice', () => {
  test.each([
    ['any', 'required'],
    [{ type: 'custom', custom: { name: 'sql' } }, { tool: 'sql' }],
    [{ type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [] } }, 'required'],
  ])('reads %o as %o', (value, choice) => {
    expect(readToolChoice({ tool_choice: value })?.choice).toEqual(choice);
  });

  test.each([undefined, null, 'often', 1, {}, [], { function: {} }, { allowed_tools: { mode: 'x' } }])(
    'does not read %o',
    (value) => {
      expect(readToolChoice({ tool_choice: value })).toBeUndefined();
    },
  );
});
