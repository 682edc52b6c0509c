import { describe, expect, test } from 'vitest';
import { resolveRowsPath } from '../../../../src/session/rows/rows-path';

describe('resolveRowsPath', () => {
  test.each([
    ['./cities.jsonl', ['cities.jsonl'], 'jsonl'],
    ['cities.JSON', ['cities.JSON'], 'json'],
    ['data//./more/../my cities.csv', ['data', 'my cities.csv'], 'csv'],
    ['../../shared/../x.csv', ['..', '..', 'x.csv'], 'csv'],
    ['a/../../x.csv', ['..', 'x.csv'], 'csv'],
  ])('resolves %s', (path, segments, format) => {
    expect(resolveRowsPath(path)).toEqual({ segments, format });
  });

  test.each([
    ['/etc/rows.json', 'must be a relative path'],
    ['https://example.com/rows.json', 'must be a relative path'],
    ['C:/rows.json', 'must be a relative path'],
    ['..\\rows.json', 'must be a relative path'],
    ['a\0.json', 'must be a relative path'],
    ['./*.csv', 'must name one file'],
    ['./rows.xlsx', 'must end in .json, .jsonl, .csv'],
    ['csv', 'must end in'],
    [`${'a'.repeat(1_000)}.csv`, 'has more than 1000 characters'],
  ])('refuses %s', (path, problem) => {
    expect(resolveRowsPath(path)).toContain(problem);
  });
});
