import { describe, expect, test } from 'vitest';
import { compareVectors, diagnoseVectors } from '../../../../src/inspect';

const diagnose = (vectors: number[][], model = 'nomic-embed-text') =>
  diagnoseVectors(compareVectors(vectors), model);

describe('diagnoseVectors', () => {
  test('finds nothing in valid vectors of an embedding model', () => {
    expect(
      diagnose([
        [1, 0],
        [0, 1],
      ]),
    ).toEqual([]);
  });

  test('names the texts whose vectors are zero', () => {
    expect(
      diagnose([
        [0, 0],
        [1, 0],
      ])[0],
    ).toMatchObject({
      severity: 'warning',
      what: expect.stringContaining('vector of text 1 has only zeros'),
    });
    expect(
      diagnose([
        [0, 0],
        [1, 0],
        [0, 0],
      ])[0]?.what,
    ).toContain('vectors of 2 texts (1, 3) have only zeros');
  });

  test('lists different dimensions', () => {
    expect(diagnose([[1], [1, 2], [3, 4]])).toMatchObject([
      { severity: 'error', what: expect.stringContaining('different dimensions: 1, 2.') },
    ]);
  });

  test('reports NaN', () => {
    expect(diagnose([[1, Number.NaN]])).toMatchObject([
      { severity: 'error', what: expect.stringContaining('text 1') },
    ]);
  });

  test('warns that a model with the name of a chat model may not be meant for embeddings', () => {
    expect(diagnose([[1, 0]], 'qwen3:8b')).toMatchObject([
      { severity: 'warning', what: expect.stringContaining('`qwen3:8b` has the name of a chat model') },
    ]);
  });
});
