// What is shipped: these files, no other, and not too large.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { zipEntries } from '../support/zip-entries';
import { vsix } from './support';

const archive = readFileSync(vsix.extension);

describe('the .vsix', () => {
  it('holds what the extension needs, and nothing else', () => {
    expect(zipEntries(archive).toSorted()).toEqual([
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/LICENSE.txt',
      'extension/THIRD-PARTY-NOTICES',
      'extension/changelog.md',
      'extension/dist/engine.js',
      'extension/dist/extension.js',
      'extension/dist/undici.js',
      'extension/dist/webview.css',
      'extension/dist/webview.js',
      'extension/media/icon.png',
      'extension/media/icon.svg',
      'extension/package.json',
      'extension/package.nls.json',
      'extension/readme.md',
    ]);
  });

  it('is not larger than 300 KB', () => {
    expect(archive.length).toBeLessThanOrEqual(300_000);
  });
});
