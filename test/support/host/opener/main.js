// Runs the command with which a user would start the product; as early as possible, hence the `*` in the manifest.
const vscode = require('vscode');

/** By its type, because its title is that of a conversation. VS Code puts a prefix before the type of a panel. */
const isOurs = ({ input }) =>
  (input instanceof vscode.TabInputWebview || input instanceof vscode.TabInputCustom) &&
  input.viewType.includes('providerPlayground.');

exports.activate = async () => {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  // After a reload the panel already exists; a second one in front of it would look as if its contents were lost.
  if (tabs.some(isOurs)) return;
  await vscode.commands.executeCommand('providerPlayground.openPlayground');
  // The folder is empty, and the panel needs the space.
  await vscode.commands.executeCommand('workbench.action.closeSidebar');
};
