// Runs the command with which a user would start the product; as early as possible, hence the `*` in the manifest.
const { promises: disk } = require('node:fs');
const { setTimeout: wait } = require('node:timers/promises');
const vscode = require('vscode');

/** In milliseconds; longer than a busy machine takes to open the panel. */
const OPENING_MS = 20_000;
/** In milliseconds; in that time the other extension host is told about the new tab. */
const TELLING_MS = 2_000;

/** By its type, because its title is that of a conversation. VS Code puts a prefix before the type of a panel. */
const isOurs = ({ input }) =>
  (input instanceof vscode.TabInputWebview || input instanceof vscode.TabInputCustom) &&
  input.viewType.includes('providerPlayground.');
const hasOurs = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).some(isOurs);

/** Resolves when a tab of ours is opened, or after the time in which that is to be expected. */
const whenOpened = () =>
  new Promise((resolve) => {
    const timer = setTimeout(() => end(), OPENING_MS);
    const listener = vscode.window.tabGroups.onDidChangeTabs(() => hasOurs() && end());
    const end = () => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    if (hasOurs()) end();
  });

/**
 * Marks the panel as being opened: on a busy machine, VS Code at times starts two extension hosts for a window, and each would
 * open one.
 * @param folder The same for both; the folder of a workspace is not: the second host gets another one.
 * @returns removes the mark; undefined if the other extension host has set it
 */
async function mark(folder) {
  const file = vscode.Uri.joinPath(folder, 'opening').fsPath;
  const remove = () => disk.rm(file, { force: true });
  await disk.mkdir(folder.fsPath, { recursive: true });
  // An old one was left by an extension host that was ended meanwhile.
  const { mtimeMs } = await disk.stat(file).catch(() => ({ mtimeMs: 0 }));
  if (Date.now() - mtimeMs > OPENING_MS) await remove();
  return disk.writeFile(file, '', { flag: 'wx' }).then(
    () => remove,
    () => undefined,
  );
}

exports.activate = async ({ globalStorageUri }) => {
  // After a reload the panel already exists; a second one in front of it would look as if its contents were lost.
  if (hasOurs()) return;
  const unmark = await mark(globalStorageUri);
  if (!unmark) await whenOpened();
  try {
    if (hasOurs()) return;
    await vscode.commands.executeCommand('providerPlayground.openPlayground');
    // The folder is empty, and the panel needs the space.
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    await wait(unmark ? TELLING_MS : 0);
  } finally {
    await unmark?.();
  }
};
