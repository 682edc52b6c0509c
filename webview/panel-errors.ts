// Failures on the panel's own side of the line, in the words of every other failure.
import type { ErrorInfo } from '../src/protocol';
import { RequestError } from '../src/protocol';

/** The host no longer knows the run that was under way. */
export const LOST: ErrorInfo = {
  code: 'lost',
  title: 'The answer is lost',
  what: 'The window was reloaded while this run was under way; its answer is lost.',
  why: '',
  next: 'Run again.',
};

/** The host's own words where it spoke. */
export function toErrorInfo(error: unknown): ErrorInfo {
  if (error instanceof RequestError) return error.info;
  return {
    code: 'panel',
    title: 'The panel failed',
    what: error instanceof Error ? error.message : String(error),
    why: '',
    next: 'Run again; if it happens again, reload the window.',
  };
}
