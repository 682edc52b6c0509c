// Runs the command with which a user would start the product; as early as possible, hence the `*` in the manifest.
const vscode = require('vscode');

/** By its type, because its title is that of a conversation. VS Code puts a prefix before the type of a panel. */
const isOurs = ({ input }) =>
  (input instanceof vscode.TabInputWebview || input instanceof vscode.TabInputCustom) &&
  input.viewType.includes('providerPlayground.');

const hasOurs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).some(isOurs);

/** In milliseconds. On a busy machine, VS Code may tell which tabs it restores long after this extension has begun. */
const RESTORE_MS = 20_000;
const OPENED = 'opened';

/** Resolves when a tab of ours is restored, or none is likely to be. */
const restored = () =>
  new Promise((resolve) => {
    const timer = setTimeout(() => end(), RESTORE_MS);
    const { tabGroups } = vscode.window;
    // The first tabs that VS Code tells are no change of the tabs of a group: they come with their groups.
    const listeners = [tabGroups.onDidChangeTabs, tabGroups.onDidChangeTabGroups].map((on) =>
      on(() => hasOurs() && end()),
    );
    const end = () => {
      clearTimeout(timer);
      for (const listener of listeners) listener.dispose();
      resolve();
    };
    if (hasOurs()) end();
  });

exports.activate = async ({ workspaceState }) => {
  if (workspaceState.get(OPENED)) await restored();
  // After a reload the panel already exists; a second one in front of it would look as if its contents were lost.
  if (hasOurs()) return;
  // Before the panel is opened: a reload right after that restores the panel.
  await workspaceState.update(OPENED, true);
  await vscode.commands.executeCommand('providerPlayground.openPlayground');
  // The folder is empty, and the panel needs the space.
  await vscode.commands.executeCommand('workbench.action.closeSidebar');
};
