// What an entry of the table of server words is. Types only.
import type { FoundWords } from '../../../types';

/** One way in which a server or service says something. */
export interface ServerWords extends Pick<FoundWords, 'id' | 'server' | 'cause' | 'rule'> {
  /**
   * Matches the message, or its code, without regard to case. Named groups are what it holds: `prompt`, `total`, `output` and
   * `room` are numbers of tokens; `text` is what the model wrote; `tool`, `model`, `parameter`, `role` and the role
   * `after` which it stood are names.
   */
  pattern: RegExp;
  /** What follows the group `text`, if anything does; its last occurrence counts. */
  textEnd?: string;
  /** Counts only where there was a reply to read: with a status of at least 500, or with 200. The same words under 400 are about the request. */
  isOfReply?: true;
  /** The public page or report that shows the words. */
  source: string;
}
