// Tells whether a server answered but refused the key. Independent of vscode.
import type * as library from '../library';

type Library = Pick<typeof library, 'HttpError'>;

/** Whether a server answers a refused or missing key with this status. */
export const isRefusal = (status: number | undefined): boolean => status === 401 || status === 403;

export const isKeyRefused = (
  error: unknown,
  { HttpError }: Library,
): error is InstanceType<Library['HttpError']> => error instanceof HttpError && isRefusal(error.status);
