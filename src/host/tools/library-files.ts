// The files of tool libraries, on any of the editor's file systems.
import * as vscode from 'vscode';
import type { LibraryFiles } from '../../connections';
import { LIBRARY_PATH } from '../../connections';
import { uriOfSession } from '../playground/files/file-backing';
import { isNear } from './is-near';
import { LibraryWatch } from './library-watch';
import type { FileState } from './read-text-file';
import { readState, readTextFile } from './read-text-file';

export class EditorLibraryFiles implements LibraryFiles<vscode.Uri> {
  readonly user: vscode.Uri;
  readonly #watch: LibraryWatch;

  /** @param storage Folder of the user's own library. */
  constructor(storage: vscode.Uri, onChange: () => void) {
    this.user = vscode.Uri.joinPath(storage, LIBRARY_PATH);
    this.#watch = new LibraryWatch(onChange);
  }

  /** Beside the playground, in its workspace folder, in the others. */
  near(path: string, sessionId: string): vscode.Uri[] {
    const file = uriOfSession(sessionId);
    // Query and fragment of the URI belong to the playground file itself.
    const beside = file && vscode.Uri.joinPath(file, '..').with({ query: '', fragment: '' });
    const own = file && vscode.workspace.getWorkspaceFolder(file)?.uri;
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
    const bases = [beside, own, ...folders].filter((base) => base !== undefined);
    const uris = bases.map((base) => vscode.Uri.joinPath(base, path)).filter((uri) => isNear(uri, beside));
    return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
  }

  keyOf(uri: vscode.Uri): string {
    return uri.toString();
  }

  state(uri: vscode.Uri): Promise<FileState | undefined> {
    this.#watch.add(uri);
    return readState(uri);
  }

  read(uri: vscode.Uri): Promise<string> {
    return readTextFile(uri);
  }

  describe(uri: vscode.Uri): string {
    return vscode.workspace.asRelativePath(uri, true);
  }

  /** The user's own library file, which is created if it does not exist. */
  async openUserFile(): Promise<vscode.Uri> {
    if ((await this.state(this.user)) === undefined) {
      await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(this.user, '..'));
      await vscode.workspace.fs.writeFile(this.user, new TextEncoder().encode('{\n}\n'));
    }
    return this.user;
  }

  dispose(): void {
    this.#watch.dispose();
  }
}
