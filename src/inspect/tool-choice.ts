// What a request said of the choice of a tool. Pure.
import type { ChatTurn } from '../types';

/** Whether the model was told to call none. A text that only speaks of it has its quotes escaped. */
export const forbidsCalls = ({ exchange }: Pick<ChatTurn, 'exchange'>): boolean =>
  /"tool_choice"\s*:\s*"none"/.test(exchange.request.body);
