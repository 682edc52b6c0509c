// Paths of the project. Must not import anything that has to be installed first.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
export const hostDir = fileURLToPath(new URL('.', import.meta.url));
export const browserDir = fileURLToPath(new URL('../browser/', import.meta.url));

/**
 * Everything that runs write: user data, workspace, pictures. Ignored by git; only tests of `npm start` use
 * another place.
 */
export const localDir = process.env.HOST_DIR ?? join(root, '.host');

export const vsix = {
  extension: join(root, 'dist', 'provider-playground.vsix'),
  opener: join(root, 'dist', 'opener.vsix'),
};

export const codeServer = join(hostDir, 'node_modules', 'code-server');
export const vscodeDir = join(codeServer, 'lib', 'vscode');
