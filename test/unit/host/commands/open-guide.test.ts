import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CommandServices } from '../../../../src/host/commands/command-services';
import { openGuide } from '../../../../src/host/commands/open-guide';

const opened = vi.hoisted(() => [] as unknown[][]);
vi.mock('vscode', () => ({
  Uri: { joinPath: (...parts: string[]) => parts.join('/') },
  commands: { executeCommand: (...asked: unknown[]) => Promise.resolve(opened.push(asked)) },
}));

describe('openGuide', () => {
  beforeEach(() => {
    opened.length = 0;
  });

  test.each([
    ['files', 'media/docs/files.md'],
    [undefined, 'media/docs/panel.md'],
    ['../../package', 'media/docs/panel.md'],
  ])('asked for %s, shows the existing page %s', async (page, file) => {
    await openGuide({ extensionUri: '.' } as unknown as CommandServices, page);
    expect(opened).toEqual([['markdown.showPreview', `./${file}`]]);
    expect(existsSync(file)).toBe(true);
  });
});
