import { describe, expect, test } from 'vitest';
import { toDamagedText } from '../../../src/demo/tool-call-text';

describe('toDamagedText', () => {
  test('escapes what single quotes need, and keeps every value', () => {
    expect(toDamagedText('x', { who: `O'Brien "Bo"\n`, count: 1, tags: [] })).toBe(
      `<tool_call>\n{'name': 'x', 'arguments': {'who': 'O\\'Brien "Bo"\\n', 'count': 1, 'tags': [],}}`,
    );
  });

  test('has no comma where there is no argument', () => {
    expect(toDamagedText('x', {})).toBe(`<tool_call>\n{'name': 'x', 'arguments': {}}`);
  });
});
