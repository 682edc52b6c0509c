// The example playgrounds that are packed are right as they are.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DEMO_MODELS } from '../../../src/demo';
import { findSecrets, parseDocument } from '../../../src/session';
import { filesUnder } from '../../support/source-files';

const files = filesUnder('media/examples', '.playground.json');

describe('media/examples', () => {
  test('there are three', () => {
    expect(files).toHaveLength(3);
  });

  test.each(files)('%s is read without a warning, holds no secret, and asks models of the demo', (file) => {
    const { document, error, warnings } = parseDocument(readFileSync(file, 'utf8'));
    expect(error).toBeUndefined();
    expect(warnings).toEqual([]);
    if (!document) return;
    expect(findSecrets(document)).toEqual([]);
    const { lanes, embedding } = document;
    for (const { connection, model } of [...lanes, embedding]) {
      if (model === undefined) continue;
      expect(['demo', 'demo-hosted']).toContain(connection);
      expect(DEMO_MODELS).toContain(model);
    }
  });
});
