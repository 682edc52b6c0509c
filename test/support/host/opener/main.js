// Runs the command with which a user would start the product; as early as possible, hence the `*` in the manifest.
const vscode = require('vscode');

exports.activate = async () => {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  // After a reload the panel already exists; a second one in front of it would look as if its contents were lost.
  if (tabs.some((tab) => tab.label.includes('Provider Playground'))) return;
  await vscode.commands.executeCommand('providerPlayground.openPlayground');
  // The folder is empty, and the panel needs the space.
  await vscode.commands.executeCommand('workbench.action.closeSidebar');
};
