// When the extension is activated, and what is available afterwards.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

interface Manifest {
  readonly activationEvents: readonly string[];
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

function findExtension(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension('provider-playground.provider-playground');
  assert.ok(extension, 'the extension is not installed');
  return extension;
}

// The editor adds a prefix to the view type.
const isPlaygroundTab = ({ input }: vscode.Tab): boolean =>
  input instanceof vscode.TabInputWebview && input.viewType.endsWith('providerPlayground.playground');
const openTabs = (): vscode.Tab[] =>
  vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isPlaygroundTab);

// Evaluated when the file is loaded, which is before any test runs.
const wasActiveAtStart = findExtension().isActive;

describe('activation', () => {
  const extension = findExtension();
  const manifest: Manifest = extension.packageJSON;

  it('does not happen when the editor starts', () => {
    assert.equal(wasActiveAtStart, false);
    const atStart = manifest.activationEvents.filter(
      (event) => event === '*' || event === 'onStartupFinished',
    );
    assert.deepEqual(atStart, []);
  });

  it('happens when the playground is opened, and its tab is shown', async () => {
    await vscode.commands.executeCommand('providerPlayground.openPlayground');
    assert.equal(extension.isActive, true);
    assert.equal(openTabs().length, 1);
  });

  it('registers every command of the manifest', async () => {
    await extension.activate();
    const registered = new Set(await vscode.commands.getCommands(true));
    const declared = manifest.contributes.commands.map(({ command }) => command);
    assert.ok(declared.length > 0);
    assert.deepEqual(
      declared.filter((command) => !registered.has(command)),
      [],
    );
  });
});
