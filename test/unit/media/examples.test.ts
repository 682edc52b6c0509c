// The packed example playgrounds are valid.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DEMO_MODELS } from '../../../src/demo';
import { embedText } from '../../../src/demo/model/embed-text';
import { findSecrets, parseDocument } from '../../../src/session';
import { filesUnder } from '../../support/texts/source-files';

const files = filesUnder('media/examples', '.playground.json');

describe('media/examples', () => {
  test('contains four examples', () => {
    expect(files).toHaveLength(4);
  });

  test.each(files)(
    '%s is read without a warning, contains no secret, and uses models of the demo',
    (file) => {
      const { document, error, warnings } = parseDocument(readFileSync(file, 'utf8'));
      expect(error).toBeUndefined();
      expect(warnings).toEqual([]);
      if (!document) return;
      expect(findSecrets(document)).toEqual([]);
      const { lanes, embedding } = document;
      for (const { connection, model } of [...lanes, embedding]) {
        if (model === undefined) continue;
        expect(['demo', 'demo-hosted', 'demo-messages', 'demo-responses']).toContain(connection);
        expect(DEMO_MODELS).toContain(model);
      }
    },
  );

  test('the demo finds the two texts of the embedding about the same thing far more similar than all others', () => {
    const file = files.find((path) => path.includes('embedding'));
    const texts = parseDocument(readFileSync(file ?? '', 'utf8')).document?.embedding.texts ?? [];
    const vectors = texts.map((text) => embedText(text));
    const similarity = (one: readonly number[], other: readonly number[]): number =>
      one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
    const pairs = vectors.flatMap((one, row) =>
      vectors.slice(row + 1).map((other, index) => ({
        pair: [texts[row], texts[row + 1 + index]],
        similarity: similarity(one, other),
      })),
    );
    const [first, second] = pairs.toSorted((one, other) => other.similarity - one.similarity);
    expect(first?.pair).toEqual(['What is the weather in Oslo?', 'How is the weather in Oslo today?']);
    expect(first?.similarity).toBeGreaterThan(0.7);
    expect(second?.similarity).toBeLessThan(0.4);
  });
});
