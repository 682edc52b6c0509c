// Tells whether a server answered but refused the key.
import { HttpError } from '../library';

/** Whether a server answers a refused or missing key with this status. */
export const isRefusal = (status: number | undefined): boolean => status === 401 || status === 403;

export const isKeyRefused = (error: unknown): error is HttpError =>
  error instanceof HttpError && isRefusal(error.status);
