// Reads the tool choice of a request. Pure.
import type { ChatTurn } from '../types';
import { parseRecord } from './json-record';

/** Whether the request forbids calls. False for a body that is no JSON. */
export const forbidsCalls = ({ exchange }: Pick<ChatTurn, 'exchange'>): boolean =>
  parseRecord(exchange.request.body)?.['tool_choice'] === 'none';
