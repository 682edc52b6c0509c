// The page of the panel: the translation is inserted as data, whatever it contains.
import { describe, expect, test, vi } from 'vitest';
import type * as vscode from 'vscode';

const editor = vi.hoisted(() => ({ bundle: undefined as Record<string, string> | undefined }));
vi.mock('vscode', () => ({
  l10n: editor,
  env: { language: 'de' },
  Uri: { joinPath: (...parts: unknown[]) => parts.join('/') },
}));

const { panelHtml } = await import('../../../../src/host/playground/panel-html');

const webview = { cspSource: 'self', asWebviewUri: String } as unknown as vscode.Webview;
const page = (): string => panelHtml(webview, 'dist' as unknown as vscode.Uri, { page: 'lab' });

describe('panelHtml', () => {
  test('is English if VS Code has no translation', () => {
    editor.bundle = undefined;
    expect(page()).toContain('<html lang="en">');
    expect(page()).not.toContain('name="translation"');
    expect(page()).toContain('<meta name="page" content="lab">');
  });

  test('contains the translation as an attribute that none of its texts can end', () => {
    editor.bundle = { Run: 'Los "&quot;"><script>alert(1)</script>' };
    const html = page();
    expect(html).toContain('<html lang="de">');
    const [, content = ''] = /<meta name="translation" content="([^"]*)">/.exec(html) ?? [];
    expect(content).not.toContain('<');
    const read = content.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
    expect(JSON.parse(read)).toEqual(editor.bundle);
    expect(html.match(/<script/g)).toHaveLength(1);
  });
});
