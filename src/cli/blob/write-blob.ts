// Writes a blob while an evaluation runs. Each finished sample is on the disk before the next one is sent, whatever ends the
// process.
import { t } from '@vscode/l10n';
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { countOf } from '../../inspect';
import type { Redactor } from '../../library';
import type { BlobEnd, BlobHead, BlobSample } from '../../session';
import { toBlobSampleLine } from '../../session';
import { CommandError } from '../command';
import { describeWriteError } from '../files/write-errors';

export class BlobWriter {
  readonly #path: string;
  readonly #file: number;
  readonly #redactor: Redactor;
  #samples = 0;
  #failure: string | undefined;

  /**
   * @param kept Samples that are there already. The old file stays whole until the new one has them.
   * @throws CommandError
   */
  constructor(path: string, head: BlobHead, kept: Iterable<BlobSample>, redactor: Redactor) {
    this.#path = path;
    this.#redactor = redactor;
    const part = `${path}.part`;
    try {
      mkdirSync(dirname(path), { recursive: true });
      this.#file = openSync(part, 'w');
      this.#write(head);
      for (const sample of kept) this.#addLine(sample);
      renameSync(part, path);
    } catch (error) {
      rmSync(part, { force: true });
      const { what, next } = describeWriteError(path, error);
      throw new CommandError(what, next === '' ? t('Correct --blob.') : `${next}.`, t('Nothing was sent.'));
    }
  }

  /** Why there is no more room for samples, and what to do, in sentences. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Never throws: see `failure`. */
  add(sample: BlobSample): void {
    this.#try(() => this.#addLine(sample));
  }

  end(end: Pick<BlobEnd, 'durationMs' | 'stopped'>): void {
    this.#try(() => this.#write({ kind: 'end', samples: this.#samples, ...end }));
    closeSync(this.#file);
  }

  /** Nothing is written behind a line that is not whole. */
  #try(write: () => void): void {
    if (this.#failure !== undefined) return;
    try {
      write();
    } catch (error) {
      const { what, next } = describeWriteError(this.#path, error);
      const count = countOf(
        this.#samples,
        t('The one sample before that is in it.'),
        t('The {0} samples before that are in it.'),
      );
      const resume = t('{0}, then go on with --resume {1}.', next || t('Correct that'), this.#path);
      this.#failure = [what, count, resume].join(' ');
    }
  }

  #addLine(sample: BlobSample): void {
    this.#write(toBlobSampleLine(sample));
    this.#samples++;
  }

  #write(line: object): void {
    writeSync(this.#file, `${JSON.stringify(this.#redactor.value(line))}\n`);
  }
}

export const blobPath = (folder: string, path: string): string => resolve(folder, path);
