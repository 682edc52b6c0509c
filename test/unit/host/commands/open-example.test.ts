import { beforeEach, expect, test } from 'vitest';
import type { CommandServices } from '../../../../src/host/commands/command-services';
import { openExample } from '../../../../src/host/commands/open-example';
import { resetEditor, Uri, writeFile } from '../../../support/vscode/vscode-files';

beforeEach(resetEditor);

test('openExample opens a copy of the example, the one of an evaluation in its view', async () => {
  const opened: unknown[] = [];
  const wanted: unknown[] = [];
  const services = {
    extensionUri: Uri.file('/extension'),
    scratches: { create: (text: string) => ({ id: `scratch of ${text}` }) },
    panels: { openScratch: ({ id }: { id: string }) => opened.push(id) },
    pool: { wanted: { ask: (...asked: unknown[]) => wanted.push(asked) } },
  } as unknown as CommandServices;
  for (const id of ['compare-models', 'reliability']) {
    writeFile(`/extension/media/examples/${id}.playground.json`, id);
    await openExample(services, id);
  }
  expect(opened).toEqual(['scratch of compare-models', 'scratch of reliability']);
  expect(wanted).toEqual([['scratch of reliability', { kind: 'evaluation' }]]);
});
