// The packed example playgrounds are valid.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DEMO_MODELS } from '../../../src/demo';
import { findSecrets, parseDocument } from '../../../src/session';
import { filesUnder } from '../../support/source-files';

const files = filesUnder('media/examples', '.playground.json');

describe('media/examples', () => {
  test('contains three examples', () => {
    expect(files).toHaveLength(3);
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
        expect(['demo', 'demo-hosted']).toContain(connection);
        expect(DEMO_MODELS).toContain(model);
      }
    },
  );
});
