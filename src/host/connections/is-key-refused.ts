// Tells whether a server answered but refused the key. Independent of vscode.
import type { Engine } from '../load-engine';

type Library = Pick<Engine['library'], 'HttpError'>;

export const isKeyRefused = (
  error: unknown,
  { HttpError }: Library,
): error is InstanceType<Library['HttpError']> =>
  error instanceof HttpError && (error.status === 401 || error.status === 403);
