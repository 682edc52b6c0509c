// Reads the lines of a blob, which anybody may have changed. A last line that is not whole is that of a process that was killed.
import { isRecord, parseJson } from '../../../library';
import type { BlobEnd, BlobHead, BlobSample } from './blob-lines';
import { BLOB_FORMAT, readBlobEnd, readBlobHead, readBlobSample } from './blob-lines';

export interface Blob {
  /** As it was named. */
  path: string;
  head: BlobHead;
  samples: BlobSample[];
  /** Absent when its process did not come to its end. */
  end?: BlobEnd | undefined;
}

/** A blob, or why it is none: undefined as `format` for a file of another kind. */
export type ReadBlob =
  { blob: Blob; problem?: undefined } | { blob?: undefined; problem: { format?: number } };

export async function readBlobLines(
  path: string,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<ReadBlob> {
  let blob: Blob | undefined;
  for await (const text of lines) {
    const line = parseJson(text);
    if (blob) {
      addLine(blob, line);
      continue;
    }
    const head = readBlobHead(line);
    if (head?.format !== BLOB_FORMAT) return { problem: { ...(head && { format: head.format }) } };
    blob = { path, head, samples: [] };
  }
  return blob ? { blob } : { problem: {} };
}

function addLine(blob: Blob, line: unknown): void {
  if (!isRecord(line)) return;
  const sample = readBlobSample(line);
  if (sample) blob.samples.push(sample);
  else blob.end = readBlobEnd(line) ?? blob.end;
}
