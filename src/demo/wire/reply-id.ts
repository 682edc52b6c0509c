// Creates the ids that both servers give to replies and tool calls. Has no imports from this folder.
import { randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 32;

/** Creates the parts of a reply that are not computed: ids and times. */
export interface ReplyMint {
  /** 32 characters of [A-Za-z0-9]. */
  newId: () => string;
  now: () => Date;
}

/** 32 characters of [A-Za-z0-9]. */
export function newReplyId(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
