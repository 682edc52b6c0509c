// Runs the one command of the product that a person would run first; as soon as it can, hence the `*` in the manifest.
const vscode = require('vscode');

exports.activate = async () => {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  // after a reload the panel is there already; a second one in front of it would look like a loss
  if (tabs.some((tab) => tab.label.includes('Provider Playground'))) return;
  await vscode.commands.executeCommand('providerPlayground.openPlayground');
  // the folder is empty, and the panel needs the room
  await vscode.commands.executeCommand('workbench.action.closeSidebar');
};
