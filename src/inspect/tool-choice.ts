// Reads the tool choice of a request. Pure.
import type { ChatTurn } from '../types';

/** Whether the request forbids calls. In a text that merely mentions this, the quotes are escaped, so it does not match. */
export const forbidsCalls = ({ exchange }: Pick<ChatTurn, 'exchange'>): boolean =>
  /"tool_choice"\s*:\s*"none"/.test(exchange.request.body);
