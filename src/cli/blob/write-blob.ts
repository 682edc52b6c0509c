// Writes a blob while an evaluation runs. Each finished sample is on the disk before the next one is sent, whatever ends the
// process.
import { t } from '@vscode/l10n';
import { closeSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Redactor } from '../../library';
import { CommandError } from '../command';
import { messageOf } from '../files/near-files';
import type { BlobEnd, BlobHead, BlobSample } from './blob-lines';
import { toSampleLine } from './blob-lines';

export class BlobWriter {
  readonly #file: number;
  readonly #redactor: Redactor;
  #samples = 0;

  /**
   * @param kept Samples that are there already. The old file stays whole until the new one has them.
   * @throws CommandError
   */
  constructor(path: string, head: BlobHead, kept: Iterable<BlobSample>, redactor: Redactor) {
    this.#redactor = redactor;
    try {
      mkdirSync(dirname(path), { recursive: true });
      this.#file = openSync(`${path}.part`, 'w');
      this.#write(head);
      for (const sample of kept) this.add(sample);
      renameSync(`${path}.part`, path);
    } catch (error) {
      throw new CommandError(t('{0} cannot be written: {1}.', path, messageOf(error)), t('Correct --blob.'));
    }
  }

  add(sample: BlobSample): void {
    this.#samples++;
    this.#write(toSampleLine(sample));
  }

  end(end: Pick<BlobEnd, 'durationMs' | 'stopped'>): void {
    this.#write({ kind: 'end', samples: this.#samples, ...end });
    closeSync(this.#file);
  }

  #write(line: object): void {
    writeSync(this.#file, `${JSON.stringify(this.#redactor.value(line))}\n`);
  }
}

export const blobPath = (folder: string, path: string): string => resolve(folder, path);
