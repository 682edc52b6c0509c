// Registers read-only files under a URI scheme of the extension. The code that reads them is loaded when one is
// first opened.
import * as vscode from 'vscode';

/** The reading part of a file system provider; one without folders need not list them. */
export type FileReader = Pick<vscode.FileSystemProvider, 'stat' | 'readFile'> &
  Partial<Pick<vscode.FileSystemProvider, 'readDirectory'>>;

export interface ReadOnlyFiles {
  onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;
  open: () => Promise<FileReader>;
}

export function registerReadOnlyFiles(
  scheme: string,
  { onDidChangeFile, open }: ReadOnlyFiles,
): vscode.Disposable {
  const files: vscode.FileSystemProvider = {
    onDidChangeFile,
    watch: () => ({ dispose: () => undefined }),
    stat: async (uri) => (await open()).stat(uri),
    readFile: async (uri) => (await open()).readFile(uri),
    readDirectory: async (uri) => (await open()).readDirectory?.(uri) ?? [],
    writeFile: refuse,
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  const options = { isCaseSensitive: true, isReadonly: true };
  return vscode.workspace.registerFileSystemProvider(scheme, files, options);
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}
